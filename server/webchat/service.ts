import { WebchatPath, type WebchatSettings } from '../../schema/webchat.ts';
import { findChannel } from '../channels/service.ts';
import { presentMediaRef } from '../media/present.ts';
import { uploadMedia } from '../media/service.ts';
import type { Context, Principal } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { execute, query } from '../platform/operation.ts';
import type { Services } from '../platform/services.ts';
import { systemContext } from '../platform/system-context.ts';
import { acrossTenants } from '../platform/tenancy.ts';
import type { Upload } from '../platform/upload.ts';
import { allows, configOf, findWebchat, visitorOf } from './channel.ts';
import { localeOf, textsFor } from './texts.ts';
import { identitySecret } from './token.ts';
import { authenticateVisitor, requireFile, startSession } from './visitors.ts';

/** What the visitors' side of HTTP is made of. */
export function webchatServices(app: Services) {
  return {
    /** Null when there is no such channel; else whether its widget may be on a page of this origin. */
    async allows(channelId: string, origin: string | undefined, own: string): Promise<boolean | null> {
      const channel = await findWebchat(app, channelId);
      return channel && allows(channel, origin, own);
    },
    /** What the widget looks like and says. */
    async appearance(channelId: string, languages: string): Promise<object> {
      const channel = await findWebchat(app, channelId);
      if (!channel) throw notFound();
      const { config } = channel;
      const locale = localeOf(config, languages);
      return {
        channel: channel.id,
        color: config.color,
        position: config.position,
        ask: { name: config.ask_name, email: config.ask_email },
        files: config.files,
        max_file_bytes: Math.min(config.max_file_bytes, app.config.mediaMaxBytes),
        locale,
        texts: textsFor(config, locale),
      };
    },
    start: (channelId: string, body: unknown) => startSession(app, channelId, body),
    authenticate: (channelId: string, headers: readonly string[] | undefined): Promise<Principal | null> =>
      authenticateVisitor(app, channelId, headers),
    /** The largest form that a channel takes, in bytes. */
    async largestFile(channelId: string): Promise<number> {
      const channel = await findWebchat(app, channelId);
      return Math.min(channel?.config.max_file_bytes ?? 0, app.config.mediaMaxBytes);
    },
    /** Keeps a visitor's file as the company's own, until a message uses it. */
    async upload(ctx: Context, file: Upload | undefined): Promise<object> {
      const channel = await findWebchat(app, visitorOf(ctx).channelId);
      if (!channel) throw notFound();
      if (file) requireFile(channel, file.size);
      const system = await systemContext(app, ctx.companyId);
      return presentMediaRef(await execute(uploadMedia, system, { file }), app);
    },
    /** A channel to show on the demo page. */
    async demoChannel(): Promise<string | null> {
      const row = await acrossTenants(() =>
        app.prisma.channel.findFirst({
          where: { kind: 'webchat', status: 'active', company: { sandboxOf: null, closedAt: null } },
          orderBy: { createdAt: 'asc' },
          select: { id: true },
        }),
      );
      return row?.id ?? null;
    },
  };
}

/** What an admin puts on a page, and the secret for its server. */
export const showWebchatSettings = query(
  {
    access: 'admin',
    input: WebchatPath,
    targets: { channel: async (ctx: Context, id: string) => (await webchatOf(ctx, id)) !== null },
  },
  async (ctx, { channel: id }): Promise<WebchatSettings> => {
    const channel = await webchatOf(ctx, id);
    if (!channel) throw notFound();
    const { identity_version: version } = configOf(channel);
    const base = ctx.app.publicUrl();
    return {
      channel: id,
      snippet: webchatSnippet(base, id),
      identity_secret: identitySecret(ctx.app.config.secrets, id, version),
      csp: {
        'script-src': base,
        'connect-src': `${base} ${base.replace(/^http/, 'ws')}`,
        'img-src': base,
      },
    };
  },
);

async function webchatOf(ctx: Context, id: string) {
  const channel = await findChannel(ctx, id);
  return channel?.kind === 'webchat' ? channel : null;
}

/** The one line that puts the widget on a page. */
export function webchatSnippet(base: string, channelId: string): string {
  return `<script src="${base}/webchat/widget.js" data-channel="${channelId}" async></script>`;
}
