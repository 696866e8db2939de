// Given to a process with `--import`: its clock is off by what the file CLOCK_FILE says, in milliseconds, and jumps
// when that changes. The monotonic clock goes on.
import { readFileSync } from 'node:fs';

const Real = Date;
let offset = 0;

function read() {
  try {
    offset = Number(readFileSync(process.env.CLOCK_FILE ?? '', 'utf8'));
  } catch {
    // It is written anew right now.
  }
}

globalThis.Date = class extends Real {
  constructor(...given) {
    if (given.length === 0) super(Real.now() + offset);
    else super(...given);
  }

  static now() {
    return Real.now() + offset;
  }
};
read();
setInterval(read, 50).unref();
