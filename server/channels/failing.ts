import type { Services } from '../platform/services.ts';
import { inTenant } from '../platform/tenancy.ts';
import type { ChannelRef } from './adapter.ts';

/** The dashboard shows it beside the channel; the next check that succeeds clears it. */
export async function markFailing(
  app: Services,
  { companyId, id }: Pick<ChannelRef, 'companyId' | 'id'>,
  reason: string,
): Promise<void> {
  await inTenant(companyId, () =>
    app.prisma.channel.updateMany({
      where: { companyId, id, status: 'active' },
      data: { status: 'failing', failureReason: reason },
    }),
  );
}
