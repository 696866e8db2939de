import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Menu } from '@mantine/core';
import { refused } from '../app/toast.ts';
import { send } from '../app/send.ts';
import { queryClient, trpc } from '../app/trpc.ts';
import { type Profile, refreshProfile, useProfile } from './use-profile.ts';

/** Not those of `api-words.ts`, which would come with every page. */
const choices = [
  {
    value: 'online',
    get label() {
      return t({ message: 'Online', context: 'word of the API' });
    },
  },
  {
    value: 'away',
    get label() {
      return t({ message: 'Away', context: 'word of the API' });
    },
  },
  {
    value: 'offline',
    get label() {
      return t({ message: 'Offline', context: 'word of the API' });
    },
  },
] as const;

async function choose(availability: Profile['availability']): Promise<void> {
  await send(trpc.account.updateProfile.mutationOptions(), { availability });
  await Promise.all([refreshProfile(), queryClient.invalidateQueries(trpc.agents.list.queryFilter())]);
}

/** Entries of a menu that say whether one takes new conversations: only who is online is given some. */
export function AvailabilityMenu() {
  return (
    <>
      <Menu.Label>
        <Trans>Availability</Trans>
      </Menu.Label>
      <Menu.RadioGroup
        value={useProfile().availability}
        onChange={(value) => void choose(value as Profile['availability']).catch(refused)}
      >
        {choices.map(({ value, label }) => (
          <Menu.RadioItem key={value} value={value}>
            {label}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <Menu.Divider />
    </>
  );
}
