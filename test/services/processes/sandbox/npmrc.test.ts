import { describe, expect, it } from 'vitest';
import { filterNpmrc } from '../../../../src/services/processes/sandbox/npmrc';

describe('the npmrc that a command gets', () => {
  it('keeps where packages come from', () => {
    const text =
      'registry=https://npm.example/\n@scope:registry = https://other.example/\r\ncafile=/etc/ca.pem\nfund=false\n';
    expect(filterNpmrc(text)).toBe(
      'registry=https://npm.example/\n@scope:registry=https://other.example/\ncafile=/etc/ca.pem\nfund=false\n',
    );
  });

  it.each([
    '//npm.example/:_authToken=abc',
    '//npm.example/:_password=abc',
    '//npm.example/:username=me',
    '_auth=abc',
    '_authToken = abc',
    'registry=https://me:secret@npm.example/',
    '@scope:registry=https://me@npm.example/',
    'proxy=http://me:secret@proxy.example:8080',
    'proxy=me:secret@proxy.example:8080',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of npm.
    'registry=https://npm.example/?token=${NPM_TOKEN}',
    'script-shell=/tmp/evil',
    'node-options=--require /tmp/evil.js',
    'certfile=/home/me/client.pem',
    'keyfile=/home/me/client.key',
    'prefix=/home/me/.npm-global',
    'git=/tmp/evil',
    'init-module=/tmp/evil.js',
    'email=me@example.com',
    '; registry=https://npm.example/',
    '# registry=https://npm.example/',
    'registry',
    '[section]',
    '',
  ])('drops %s', (line) => {
    expect(filterNpmrc(line)).toBe('');
  });
});
