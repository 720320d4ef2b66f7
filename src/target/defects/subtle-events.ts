import { subtleAnswerDefects } from './subtle-events/answers.ts'
import { subtleResponseEventDefects } from './subtle-events/responses.ts'

/** Mistakes in payloads of server events that show only sometimes: the last delta, the second of several, while busy. */
export const subtleEventDefects = [...subtleResponseEventDefects, ...subtleAnswerDefects]
