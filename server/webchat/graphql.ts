import type { WebchatSettings } from '../../schema/webchat.ts';
import { queryField } from '../platform/graphql-fields.ts';
import { builder } from '../platform/graphql.ts';
import { showWebchatSettings } from './service.ts';

const Settings = builder.objectRef<WebchatSettings>('WebchatSettings').implement({
  fields: (t) => ({
    channel: t.exposeID('channel'),
    snippet: t.exposeString('snippet', { description: 'Puts the widget on a page.' }),
    identitySecret: t.exposeString('identity_secret', {
      description:
        'Signs who a visitor is, on the page’s own server: hex HMAC-SHA256 of id, newline and e-mail.',
    }),
    csp: t.expose('csp', {
      type: 'JSON',
      description: 'What the page’s Content-Security-Policy must allow.',
    }),
  }),
});

queryField('webchatSettings', showWebchatSettings, {
  type: Settings,
  description: 'How a webchat channel is put on a page.',
});
