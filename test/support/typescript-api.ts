// Generators print code with the API of TypeScript 5, which version 7 no longer has; ts-morph brings it along.
import { createRequire, registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const common = createRequire(import.meta.url).resolve('@ts-morph/common');
const typescript = pathToFileURL(path.join(path.dirname(common), 'typescript.js')).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript'
      ? { url: typescript, format: 'commonjs', shortCircuit: true }
      : next(specifier, context),
});
