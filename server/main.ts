import { runProgram } from './cli/program.ts';

const code = await runProgram(process.argv.slice(2));
// Timers and pools of libraries may outlive the command; its work is done all the same.
process.stdout.write('', () => process.exit(code));
