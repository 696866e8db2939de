import { t } from '@lingui/core/macro';

/** Words of the API that people read: states, reasons, kinds. A word that is not here is shown as it is. */
const words: Readonly<Record<string, string>> = {
  get agent() {
    return t({ message: 'Agent', context: 'word of the API' });
  },
  get draft() {
    return t({ message: 'Draft', context: 'word of the API' });
  },
  get active() {
    return t({ message: 'Active', context: 'word of the API' });
  },
  get archived() {
    return t({ message: 'Archived', context: 'word of the API' });
  },
  get pending() {
    return t({ message: 'Pending', context: 'word of the API' });
  },
  get confirmed() {
    return t({ message: 'Confirmed', context: 'word of the API' });
  },
  get processing() {
    return t({ message: 'Processing', context: 'word of the API' });
  },
  get shipped() {
    return t({ message: 'Shipped', context: 'word of the API' });
  },
  get delivered() {
    return t({ message: 'Delivered', context: 'word of the API' });
  },
  get completed() {
    return t({ message: 'Completed', context: 'word of the API' });
  },
  get cancelled() {
    return t({ message: 'Cancelled', context: 'word of the API' });
  },
  get returned() {
    return t({ message: 'Returned', context: 'word of the API' });
  },
  get unpaid() {
    return t({ message: 'Unpaid', context: 'word of the API' });
  },
  get paid() {
    return t({ message: 'Paid', context: 'word of the API' });
  },
  get refunded() {
    return t({ message: 'Refunded', context: 'word of the API' });
  },
  get customer() {
    return t({ message: 'Customer', context: 'word of the API' });
  },
  get inventory() {
    return t({ message: 'Inventory', context: 'word of the API' });
  },
  get fraud() {
    return t({ message: 'Fraud', context: 'word of the API' });
  },
  get declined() {
    return t({ message: 'Declined', context: 'word of the API' });
  },
  get staff() {
    return t({ message: 'Staff', context: 'word of the API' });
  },
  get other() {
    return t({ message: 'Other', context: 'word of the API' });
  },
  get scheduled() {
    return t({ message: 'Scheduled', context: 'word of the API' });
  },
  get queued() {
    return t({ message: 'Queued', context: 'word of the API' });
  },
  get sending() {
    return t({ message: 'Sending', context: 'word of the API' });
  },
  get paused() {
    return t({ message: 'Paused', context: 'word of the API' });
  },
  get cancelling() {
    return t({ message: 'Cancelling', context: 'word of the API' });
  },
  get failed() {
    return t({ message: 'Failed', context: 'word of the API' });
  },
  get claimed() {
    return t({ message: 'Claimed', context: 'word of the API' });
  },
  get sent() {
    return t({ message: 'Sent', context: 'word of the API' });
  },
  get read() {
    return t({ message: 'Read', context: 'word of the API' });
  },
  get skipped() {
    return t({ message: 'Skipped', context: 'word of the API' });
  },
  get unsubscribed() {
    return t({ message: 'Unsubscribed', context: 'word of the API' });
  },
  get blocked() {
    return t({ message: 'Blocked', context: 'word of the API' });
  },
  get no_address() {
    return t({ message: 'No address', context: 'word of the API' });
  },
  get duplicate() {
    return t({ message: 'Duplicate', context: 'word of the API' });
  },
  get template_rejected() {
    return t({ message: 'Template rejected', context: 'word of the API' });
  },
  get quiet_hours_expired() {
    return t({ message: 'Quiet hours expired', context: 'word of the API' });
  },
  get no_show() {
    return t({ message: 'No show', context: 'word of the API' });
  },
  get open() {
    return t({ message: 'Open', context: 'word of the API' });
  },
  get closed() {
    return t({ message: 'Closed', context: 'word of the API' });
  },
  get contact() {
    return t({ message: 'Contact', context: 'word of the API' });
  },
  get campaign() {
    return t({ message: 'Campaign', context: 'word of the API' });
  },
  get catalog() {
    return t({ message: 'Catalog', context: 'word of the API' });
  },
  get automation() {
    return t({ message: 'Automation', context: 'word of the API' });
  },
  get system() {
    return t({ message: 'System', context: 'word of the API' });
  },
  get webchat() {
    return t({ message: 'Web chat', context: 'word of the API' });
  },
  get email() {
    return t({ message: 'E-mail', context: 'word of the API' });
  },
  get simulator() {
    return t({ message: 'Simulator', context: 'word of the API' });
  },
  get mentions() {
    return t({ message: 'Mentions', context: 'word of the API' });
  },
  get received() {
    return t({ message: 'Received', context: 'word of the API' });
  },
  get held() {
    return t({ message: 'Held', context: 'word of the API' });
  },
  get disabled() {
    return t({ message: 'Disabled', context: 'word of the API' });
  },
  get failing() {
    return t({ message: 'Failing', context: 'word of the API' });
  },
  get enabled() {
    return t({ message: 'Enabled', context: 'word of the API' });
  },
  get manual() {
    return t({ message: 'Manual', context: 'word of the API' });
  },
  get error_rate() {
    return t({ message: 'Error rate', context: 'word of the API' });
  },
  get channel_down() {
    return t({ message: 'Channel down', context: 'word of the API' });
  },
  get window_closed() {
    return t({ message: 'Window closed', context: 'word of the API' });
  },
  get undeliverable() {
    return t({ message: 'Undeliverable', context: 'word of the API' });
  },
  get marketing_limit() {
    return t({ message: 'Marketing limit', context: 'word of the API' });
  },
  get rate_limited() {
    return t({ message: 'Rate limited', context: 'word of the API' });
  },
  get template_mismatch() {
    return t({ message: 'Template mismatch', context: 'word of the API' });
  },
  get provider_error() {
    return t({ message: 'Provider error', context: 'word of the API' });
  },
  get online() {
    return t({ message: 'Online', context: 'word of the API' });
  },
  get away() {
    return t({ message: 'Away', context: 'word of the API' });
  },
  get offline() {
    return t({ message: 'Offline', context: 'word of the API' });
  },
  get day() {
    return t({ message: 'Day', context: 'word of the API' });
  },
  get week() {
    return t({ message: 'Week', context: 'word of the API' });
  },
  get month() {
    return t({ message: 'Month', context: 'word of the API' });
  },
  get list() {
    return t({ message: 'List', context: 'word of the API' });
  },
  get low() {
    return t({ message: 'Low', context: 'word of the API' });
  },
  get medium() {
    return t({ message: 'Medium', context: 'word of the API' });
  },
  get high() {
    return t({ message: 'High', context: 'word of the API' });
  },
  get unknown() {
    return t({ message: 'Unknown', context: 'word of the API' });
  },
  get positive() {
    return t({ message: 'Positive', context: 'word of the API' });
  },
  get neutral() {
    return t({ message: 'Neutral', context: 'word of the API' });
  },
  get negative() {
    return t({ message: 'Negative', context: 'word of the API' });
  },
  get product_question() {
    return t({ message: 'Product question', context: 'word of the API' });
  },
  get price() {
    return t({ message: 'Price', context: 'word of the API' });
  },
  get order_status() {
    return t({ message: 'Order status', context: 'word of the API' });
  },
  get booking() {
    return t({ message: 'Booking', context: 'word of the API' });
  },
  get complaint() {
    return t({ message: 'Complaint', context: 'word of the API' });
  },
  get return() {
    return t({ message: 'Return', context: 'word of the API' });
  },
  get greeting() {
    return t({ message: 'Greeting', context: 'word of the API' });
  },
  get on() {
    return t({ message: 'On', context: 'word of the API' });
  },
  get off() {
    return t({ message: 'Off', context: 'word of the API' });
  },
  get live() {
    return t({ message: 'Live', context: 'word of the API' });
  },
  get test() {
    return t({ message: 'Test', context: 'word of the API' });
  },
};

/** A word of the API in the language that is on. */
export function wordText(word: string): string | undefined {
  return Object.hasOwn(words, word) ? words[word] : undefined;
}
