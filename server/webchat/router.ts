import { WebchatSettingsBody } from '../../schema/webchat.ts';
import { procedure, router } from '../platform/trpc.ts';
import { showWebchatSettings } from './service.ts';

/** Dashboard only. Visitors have a schema of their own. */
export const webchatRouter = router({
  settings: procedure(showWebchatSettings, {
    output: WebchatSettingsBody,
    present: (settings) => ({ data: settings }),
  }),
});
