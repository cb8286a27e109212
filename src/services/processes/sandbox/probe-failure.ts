/** What bubblewrap says when it cannot make a sandbox, as a reason and a remedy, one sentence each. */

export interface Unavailable {
  readonly reason: string;
  readonly remedy: string;
}

const BY_HAND = 'Run bwrap --unshare-all --ro-bind / / true by hand to see what it lacks';

const KNOWN: readonly (Unavailable & { readonly says: RegExp })[] = [
  {
    says: /Unknown option/,
    reason: 'The installed bubblewrap is too old',
    remedy: 'Install bubblewrap 0.8 or newer',
  },
  {
    says: /setting up uid map: Permission denied|RTM_NEWADDR|RTM_NEWLINK/,
    reason: 'The system restricts user namespaces for bubblewrap (as AppArmor does on Ubuntu)',
    remedy: 'Add an AppArmor profile for /usr/bin/bwrap that contains the rule "userns,"',
  },
  {
    says: /namespaces? (?:failed|exceeded)|new namespace|No permissions to create|max_\w*namespaces|unshare.*Operation not permitted/,
    reason: 'The system does not let bubblewrap make namespaces: it is switched off, or this is a container already',
    remedy: 'Allow unprivileged user namespaces, or run outside the container',
  },
  {
    says: /mount proc/,
    reason: 'The container hides parts of /proc, so that no new one can be mounted',
    remedy: 'Start the container without masked paths, or run outside of it',
  },
  {
    says: /seccomp|PR_SET_SECCOMP/i,
    reason: 'The kernel does not accept a filter of system calls',
    remedy: 'Use a kernel with CONFIG_SECCOMP_FILTER',
  },
];

export const NOT_INSTALLED: Unavailable = {
  reason: 'bubblewrap is not installed',
  remedy: 'Install it with the package manager of the system, such as: apt install bubblewrap',
};

export function explainFailure(stderr: string, status: string): Unavailable {
  const known = KNOWN.find(({ says }) => says.test(stderr));
  const line = stderr.split('\n').find((text) => text.trim() !== '') ?? status;
  const said = line.replace(/^bwrap: /, '').trim();
  return known
    ? { reason: `${known.reason} (${said})`, remedy: known.remedy }
    : { reason: `bubblewrap failed: ${said}`, remedy: BY_HAND };
}

export function remedyFor(problem: string): string {
  return KNOWN.find(({ says }) => says.test(problem))?.remedy ?? BY_HAND;
}
