import type { CommonCount, CommonTime } from '../../core/common-measures.ts'
import type { Tally } from '../../core/tally.ts'
import type { Machine } from '../machine.ts'

export type InterruptCount =
  | 'rounds'
  | 'interrupted'
  | 'last'
  | 'pending'
  | 'second_pending'
  | 'cuts'
  | 'moves'
  | 'flaws'
  | 'turned_away'
export type InterruptTime = 'interrupt_ms' | 'created_ms' | 'first_delta_ms' | 'pending_start_ms'
export type InterruptMachine = Machine<InterruptCount, InterruptTime>
export type InterruptTally = Tally<InterruptCount | CommonCount, InterruptTime | CommonTime>
