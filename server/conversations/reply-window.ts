const hour = 3_600_000;

/** Hours after the customer's last message in which a channel takes free text. Source: decisions §5. */
const windowHours: Readonly<Record<string, number>> = {
  whatsapp: 24,
  messenger: 24,
  instagram: 24,
  tiktok: 48,
};

export interface ReplyWindow {
  open: boolean;
  /** Null when the channel has no window, or the customer never wrote. */
  expiresAt: Date | null;
}

/** Whether anything but a template may be sent now. */
export function replyWindowOf(channelKind: string, lastInboundAt: Date | null, now: Date): ReplyWindow {
  const hours = windowHours[channelKind];
  if (hours === undefined) return { open: true, expiresAt: null };
  if (!lastInboundAt) return { open: false, expiresAt: null };
  const expiresAt = new Date(lastInboundAt.getTime() + hours * hour);
  return { open: expiresAt > now, expiresAt };
}
