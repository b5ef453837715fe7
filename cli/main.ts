#!/usr/bin/env node
// Runs the command that the arguments name.
import { runProgram } from './program.ts';

process.exitCode = await runProgram(process.argv.slice(2));
