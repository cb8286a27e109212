import { configKey, definitionOf, environmentName, OPTION_NAMES } from '../../src/cli/options';

/** The table in docs/configuration.md. */
export function optionTable(): string {
  const rows = OPTION_NAMES.map((name) => {
    const { type, value, choices, fallback, help } = definitionOf(name);
    const argument = choices ? choices.join('\\|') : (value ?? '');
    const flag =
      type === 'switch' ? `--${name}` : type === 'optional' ? `--${name} [${argument}]` : `--${name} ${argument}`;
    return `| \`${flag}\` | \`${environmentName(name)}\` | \`${configKey(name)}\` | ${fallback} | ${help} |`;
  });
  return ['| flag | environment | config key | default | meaning |', '|---|---|---|---|---|', ...rows].join('\n');
}
