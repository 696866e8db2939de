import { Deleted, single } from '../../schema/common.ts';
import {
  WebhookCatcherBody,
  WebhookDeliveryBody,
  WebhookDeliveryDetailBody,
  WebhookDeliveryPage,
  WebhookEndpointBody,
  WebhookEndpointList,
  WebhookEndpointWithSecret,
  WebhookFiguresList,
  WebhookResendBody,
  WebhookResendProgressBody,
} from '../../schema/webhooks.ts';
import { presentPage } from '../platform/present.ts';
import { procedure, router } from '../platform/trpc.ts';
import { listWebhookDeliveries, showWebhookDelivery } from './deliveries.ts';
import { showWebhookCatcher } from './catcher.ts';
import { listWebhookFigures } from './figures.ts';
import {
  presentWebhookDelivery,
  presentWebhookDeliveryDetail,
  presentWebhookEndpoint,
  presentWebhookFigures,
} from './present.ts';
import {
  resendWebhookDelivery,
  resendWebhookRange,
  sendLatestWebhook,
  showResendProgress,
} from './resend.ts';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  type EndpointWithSecret,
  listWebhookEndpoints,
  rotateWebhookSecret,
  sendTestWebhook,
  showWebhookEndpoint,
  updateWebhookEndpoint,
} from './service.ts';

const withSecret = ({ secret, ...row }: EndpointWithSecret) => ({
  data: { ...presentWebhookEndpoint(row), secret },
});

/** Endpoints are managed in the dashboard and on the command line, never over the public API. */
export const webhooksRouter = router({
  list: procedure(listWebhookEndpoints, {
    output: WebhookEndpointList,
    present: (rows) => ({ data: rows.map(presentWebhookEndpoint) }),
  }),
  catcher: procedure(showWebhookCatcher, {
    output: WebhookCatcherBody,
    present: ({ url, caught }) => ({
      data: { url, caught: caught.map(({ at, ...one }) => ({ ...one, at: at.toISOString() })) },
    }),
  }),
  figures: procedure(listWebhookFigures, {
    output: WebhookFiguresList,
    present: (rows) => ({ data: rows.map(presentWebhookFigures) }),
  }),
  show: procedure(showWebhookEndpoint, {
    output: WebhookEndpointBody,
    present: (row) => ({ data: presentWebhookEndpoint(row) }),
  }),
  create: procedure(createWebhookEndpoint, { output: WebhookEndpointWithSecret, present: withSecret }),
  update: procedure(updateWebhookEndpoint, {
    output: WebhookEndpointBody,
    present: (row) => ({ data: presentWebhookEndpoint(row) }),
  }),
  delete: procedure(deleteWebhookEndpoint, {
    output: single(Deleted),
    present: ({ id }) => ({ data: { id, deleted: true } }),
  }),
  rotateSecret: procedure(rotateWebhookSecret, { output: WebhookEndpointWithSecret, present: withSecret }),
  sendTest: procedure(sendTestWebhook, {
    output: WebhookDeliveryBody,
    present: (row) => ({ data: presentWebhookDelivery(row) }),
  }),
  resendRange: procedure(resendWebhookRange, {
    output: WebhookResendBody,
    present: ({ at, ...summary }) => ({ data: { ...summary, at: at.toISOString() } }),
  }),
  resendProgress: procedure(showResendProgress, {
    output: WebhookResendProgressBody,
    present: (data) => ({ data }),
  }),
  sendLatest: procedure(sendLatestWebhook, {
    output: WebhookDeliveryBody,
    present: (row) => ({ data: presentWebhookDelivery(row) }),
  }),
});

export const deliveriesRouter = router({
  list: procedure(listWebhookDeliveries, {
    output: WebhookDeliveryPage,
    present: presentPage(presentWebhookDelivery),
  }),
  show: procedure(showWebhookDelivery, {
    output: WebhookDeliveryDetailBody,
    present: (row, ctx) => ({ data: presentWebhookDeliveryDetail(row, ctx) }),
  }),
  resend: procedure(resendWebhookDelivery, {
    output: WebhookDeliveryBody,
    present: (row) => ({ data: presentWebhookDelivery(row) }),
  }),
});
