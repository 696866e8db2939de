import { exportAudit } from './audit/export.ts';
import { exportCampaigns, exportRecipients } from './campaigns/export.ts';
import { exportContacts } from './contacts/export.ts';
import { contactColumns, importContacts } from './contacts/import.ts';
import type { CsvResources } from './http/csv.ts';
import { exportOrders } from './orders/export.ts';
import { orderColumns } from './orders/import-rows.ts';
import { importOrders } from './orders/import.ts';
import { exportProducts } from './products/export.ts';
import { importProducts, productColumns } from './products/import.ts';

/** What the dashboard reads from files and writes to them; the command line has the same. */
export const csvResources: CsvResources = {
  contacts: { export: exportContacts, import: importContacts, columns: contactColumns },
  products: { export: exportProducts, import: importProducts, columns: productColumns },
  orders: { export: exportOrders, import: importOrders, columns: orderColumns },
  audit: { export: exportAudit },
  campaigns: { export: exportCampaigns },
  recipients: { export: exportRecipients },
};
