import { enableCompileCache } from 'node:module';
import path from 'node:path';

// Half of a start goes into reading modules. What was read is kept where nobody else may write; where we may not either,
// as in an image, nothing is kept.
enableCompileCache(path.resolve(import.meta.dirname, '../node_modules/.cache/parlour'));
const { runProgram } = await import('./cli/program.ts');

const code = await runProgram(process.argv.slice(2));
// Timers and pools of libraries may outlive the command; its work is done all the same.
process.stdout.write('', () => process.exit(code));
