import { expect, it } from 'vitest';
import { seatbeltProfile } from '../../../../src/services/processes/sandbox/seatbelt';

it('the profile for macOS: writing, reading the home and the network are refused, with exceptions', () => {
  const profile = seatbeltProfile({
    roots: ['/Users/me/pro"ject'],
    network: 'off',
    git: true,
    home: '/Users/me',
    folder: { cache: '/Users/me/.cache/tenon/cache', aside: '/Users/me/.cache/tenon/aside' },
    toolchains: ['/Users/me/.volta'],
  });
  expect(profile).toMatchSnapshot();
});
