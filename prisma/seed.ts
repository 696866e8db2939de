// `prisma db seed` and `node prisma/seed.ts …`: the same as `parlour seed …`.
import { runProgram } from '../server/cli/program.ts';

process.exitCode = await runProgram(['seed', ...process.argv.slice(2)]);
