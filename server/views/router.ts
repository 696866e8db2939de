import {
  ConversationRowPage,
  SavedViewBody,
  SavedViewDeleted,
  SavedViewList,
  ViewCountsBody,
} from '../../schema/views.ts';
import { procedure, router } from '../platform/trpc.ts';
import { presentRows, presentSavedView } from './present.ts';
import type { SavedViewRecord } from './record.ts';
import {
  createSavedView,
  deleteSavedView,
  listSavedViews,
  listView,
  updateSavedView,
  viewCounts,
} from './service.ts';

/** The views that every inbox has. */
export const viewsRouter = router({
  counts: procedure(viewCounts, { output: ViewCountsBody, present: (counts) => ({ data: counts }) }),
  conversations: procedure(listView, { output: ConversationRowPage, present: presentRows }),
});

const one = {
  output: SavedViewBody,
  present: (record: SavedViewRecord) => ({ data: presentSavedView(record) }),
};

/** Views that agents have made. */
export const savedViewsRouter = router({
  list: procedure(listSavedViews, {
    output: SavedViewList,
    present: (records) => ({ data: records.map(presentSavedView) }),
  }),
  create: procedure(createSavedView, one),
  update: procedure(updateSavedView, one),
  delete: procedure(deleteSavedView, {
    output: SavedViewDeleted,
    present: ({ id }) => ({ data: { id, deleted: true } }),
  }),
});
