import { theK6, type User } from '../fake-k6.ts'

function inIteration(): { readonly user: User; readonly iteration: NonNullable<User['iteration']> } {
  const { user } = theK6()
  if (user?.iteration === undefined)
    throw new Error('getting scenario information outside of the VU context is not supported')
  return { user, iteration: user.iteration }
}

export const vu = {
  get idInTest(): number {
    return theK6().user?.id ?? 0
  },
}

export const scenario = {
  get name(): string {
    return inIteration().iteration.scenario
  },
  get iterationInTest(): number {
    return inIteration().iteration.number
  },
  get startTime(): number {
    return Math.floor(inIteration().iteration.startTime)
  },
}

export const instance = {
  get currentTestRunDuration(): number {
    return theK6().time.now() - theK6().start
  },
}

export const test = { options: {} }
