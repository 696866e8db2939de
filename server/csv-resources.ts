import { exportContacts } from './contacts/export.ts';
import { importContacts } from './contacts/import.ts';
import type { CsvResources } from './http/csv.ts';
import { exportOrders } from './orders/export.ts';
import { importOrders } from './orders/import.ts';
import { exportProducts } from './products/export.ts';
import { importProducts } from './products/import.ts';

/** What the dashboard reads from files and writes to them; the command line has the same. */
export const csvResources: CsvResources = {
  contacts: { export: exportContacts, import: importContacts },
  products: { export: exportProducts, import: importProducts },
  orders: { export: exportOrders, import: importOrders },
};
