import { describe, expect, test } from 'vitest'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import type { Json, JsonObject } from '#trace/json'
import { rules } from './rules.ts'

const ok = (data: Json) => ({ body: { code: 0, message: 'ok', data } })
const no = (code: number) => ({ status: 400, body: { code, message: 'no' } })
const ada = { voice_id: 'voice_ada', name: 'Ada', language: 'en' }
const open = { voice_id: 'voice_open', name: 'Open', language: '' }

function clone(trace: TraceBuilder, body: JsonObject, voice: Json, key = 'primary'): void {
  trace.rest('clone-voice', ok(voice), body, key)
}

function list(trace: TraceBuilder, voices: Json, key = 'primary'): void {
  trace.rest('list-voices', ok({ voices }), {}, key, '/v1/voices')
}

function said(tell: (trace: TraceBuilder) => void, verdict: 'held' | 'broken' = 'broken'): readonly string[] {
  const trace = new TraceBuilder()
  tell(trace)
  return [...saidOf(rules, trace)]
    .filter((one) => one.startsWith(`${verdict} `))
    .map((one) => one.slice(verdict.length + 1))
}

describe('the result of a clone', () => {
  const asked = { name: 'Ada', file_id: 'file_aud_1', language: 'en' }

  test.each<[string, JsonObject, Json, string[]]>([
    ['as it was asked for', asked, ada, []],
    ['without language', { ...asked, language: undefined as never }, { ...ada, language: '' }, []],
    ['another name', asked, { ...ada, name: 'ada' }, ['voices.clone.name-returned']],
    ['no name', asked, { voice_id: 'voice_ada', language: 'en' }, ['voices.clone.name-returned']],
    ['another language', asked, { ...ada, language: 'fr' }, ['voices.clone.language-returned']],
    [
      'a language that nobody asked for',
      { name: 'Ada', file_id: 'f' },
      ada,
      ['voices.clone.language-empty-when-omitted'],
    ],
    ['no id', asked, { ...ada, voice_id: null }, ['voices.clone.voice-id-string']],
    ['an id of another shape', asked, { ...ada, voice_id: 'ada' }, ['voices.clone.voice-id-shaped']],
    [
      'an array',
      asked,
      [ada],
      ['voices.clone.result-object', 'voices.clone.name-returned', 'voices.clone.language-returned'],
    ],
  ])('%s', (_, body, voice, rows) => {
    expect(said((trace) => clone(trace, body, voice)).toSorted()).toEqual(rows.toSorted())
  })

  test('two voices have two ids', () => {
    const twice = (id: string) => (trace: TraceBuilder) => {
      clone(trace, asked, ada)
      clone(trace, asked, { ...ada, voice_id: id })
    }
    expect(said(twice('voice_ada'))).toEqual(['voices.clone.voice-ids-distinct'])
    expect(said(twice('voice_two'), 'held')).toContain('voices.clone.voice-ids-distinct')
  })
})

describe('a list', () => {
  const after =
    (voices: Json, key = 'primary') =>
    (trace: TraceBuilder) => {
      clone(trace, { name: 'Ada', file_id: 'f', language: 'en' }, ada)
      trace.pass(3_000)
      list(trace, voices, key)
    }

  test('may be a moment behind the clone', () => {
    const soon = (trace: TraceBuilder) => {
      clone(trace, { name: 'Ada', file_id: 'f', language: 'en' }, ada)
      list(trace, [open])
    }
    expect(said(soon)).toEqual([])
  })

  test.each<[string, Json, string[]]>([
    ['own and public voices', [ada, open], []],
    ['no own voice', [open], ['voices.list.own-included']],
    ['own voices alone', [ada], ['voices.list.public-included']],
    ['an own voice of another name', [{ ...ada, name: 'A' }, open], ['voices.list.own-unchanged']],
    ['an own voice without language', [{ ...ada, language: '' }, open], ['voices.list.own-unchanged']],
    ['a voice twice', [ada, open, open], ['voices.list.voice-once']],
    ['a name that is null', [ada, { ...open, name: null }], ['voices.list.name']],
    ['a language of its own', [ada, { ...open, language: 'English' }], ['voices.list.language']],
    ['an id of another shape', [ada, { ...open, voice_id: 'open' }], ['voices.list.voice-id']],
  ])('with %s', (_, voices, rows) => {
    expect(said(after(voices))).toEqual(rows)
  })

  test('of another workspace shows no voice of this one', () => {
    expect(said(after([ada], 'other_workspace'))).toEqual(['voices.list.other-workspace-excluded'])
    expect(said(after([open], 'other_workspace'), 'held')).toContain('voices.list.other-workspace-excluded')
    expect(said(after([ada], 'capped'))).toEqual([])
  })

  test('with another key of the workspace shows the same', () => {
    expect(said(after([open], 'same_workspace'))).toContain('voices.list.own-included')
  })

  test('says nothing about a voice that came later', () => {
    const row = 'voices.list.own-included'
    const tell = (trace: TraceBuilder): void => {
      list(trace, [open])
      clone(trace, { name: 'Ada', file_id: 'f', language: 'en' }, ada)
    }
    expect(said(tell)).not.toContain(row)
    expect(said(tell, 'held')).not.toContain(row)
  })

  test('is public as far as two workspaces see it', () => {
    const tell = (theirs: Json) => (trace: TraceBuilder) => {
      list(trace, theirs, 'other_workspace')
      list(trace, [ada, open])
    }
    expect(said(tell([open]))).toEqual([])
    // Where another deployment has none, nobody knows who cloned what this one shows.
    expect(said(tell([]))).toEqual([])
    expect(said(tell([]), 'held')).not.toContain('voices.list.public-included')
    // On another deployment, other voices may be public.
    expect(said(tell([{ ...open, voice_id: 'voice_elsewhere' }]))).toEqual([])
  })
})

test('a voice that an earlier run cloned is not public', () => {
  const left = { voice_id: 'voice_left', name: 'voice-abcdefghij-1 Ada.', language: '' }
  const row = 'voices.list.public-included'
  const alone = (trace: TraceBuilder) => list(trace, [ada, left, open])
  expect(said(alone, 'held')).toContain(row)
  const none = (trace: TraceBuilder) => list(trace, [left])
  expect(said(none)).toEqual([row])
  const beside = (trace: TraceBuilder): void => {
    list(trace, [], 'other_workspace')
    list(trace, [left])
  }
  expect(said(beside)).toEqual([row])
})

describe('a voice that is asked for', () => {
  const get = (voice: Json) => (trace: TraceBuilder) => {
    clone(trace, { name: 'Ada', file_id: 'f' }, { ...ada, language: '' })
    trace.rest('get-voice', ok(voice), {}, 'primary', '/v1/voices/voice%5Fada')
  }

  test.each<[string, Json, string[]]>([
    ['the same', { ...ada, language: '', preview: null }, []],
    ['another voice', { ...open, name: 'Ada' }, ['voices.get.voice-id']],
    ['another name', { ...ada, name: 'ADA', language: '' }, ['voices.get.name']],
    ['a language that was not sent', ada, ['voices.get.language']],
    ['no language', { voice_id: 'voice_ada', name: 'Ada' }, ['voices.get.language']],
  ])('%s', (_, voice, rows) => {
    expect(said(get(voice))).toEqual(rows)
  })
})

describe('a refused clone', () => {
  const refused = (code: number, name: string, before: Json | undefined, after: Json) => (trace: TraceBuilder) => {
    if (before !== undefined) list(trace, before)
    trace.rest('clone-voice', no(code), { name, file_id: 'f' })
    list(trace, after)
  }
  const behindGood = (tell: (trace: TraceBuilder) => void) => (trace: TraceBuilder) => {
    clone(trace, { name: 'Ada', file_id: 'f', language: 'en' }, ada)
    tell(trace)
  }
  const made = { ...open, voice_id: 'voice_new', name: 'refused-r1-1' }

  test('leaves nothing', () => {
    expect(said(refused(20004, made.name, undefined, [open, made]))).toEqual(['voices.clone.refused-makes-nothing'])
    const alone = refused(20004, made.name, undefined, [open])
    expect(said(behindGood(alone), 'held')).toContain('voices.clone.refused-makes-nothing')
    // Where no clone ever made anything, that this one did not says nothing.
    expect(said(alone, 'held')).not.toContain('voices.clone.refused-makes-nothing')
    expect(said(refused(30007, 'fails', [open], [open, { ...made, name: 'fails' }]))).toEqual([
      'voices.code-30007.makes-nothing',
    ])
  })

  test('that is refused again in a replay is told without a list before it: its names are as new as its ids', () => {
    const again = (scenario: string) => (trace: TraceBuilder) => {
      const name = 'refused-abcdefghij-3'
      trace.rest('clone-voice', no(20004), { name, file_id: 'file_aud_1' })
      list(trace, [open, { ...made, name }])
      for (const [place, entry] of trace.entries.entries()) {
        if (entry.kind === 'request' || entry.kind === 'response') trace.entries[place] = { ...entry, scenario }
      }
    }
    expect(said(again('replay.voices.clone.refused-makes-nothing'))).toEqual(['voices.clone.refused-makes-nothing'])
    expect(said(again('confirm-whole.voices.clone.refused-makes-nothing'))).toHaveLength(1)
    expect(said(again('voices.library'))).toEqual([])
  })

  test('leaves no voice without a name either', () => {
    const nameless = { ...open, voice_id: 'voice_new', name: '' }
    const row = 'voices.clone.refused-makes-nothing'
    const told = (before: Json, after: Json) => (trace: TraceBuilder) => {
      list(trace, before)
      trace.rest('clone-voice', no(20003), { file_id: 'f' })
      list(trace, after)
    }
    expect(said(told([open], [open, nameless]))).toEqual([row])
    expect(said(behindGood(told([open], [open])), 'held')).toContain(row)
    expect(said(told([open, nameless], [open, nameless]))).toEqual([])
    const taken = (trace: TraceBuilder) => {
      list(trace, [open])
      trace.rest('clone-voice', { body: { code: 0, message: 'ok', data: nameless } }, { file_id: 'f' })
      trace.rest('clone-voice', no(20003), {})
      list(trace, [open, nameless])
    }
    expect(said(taken)).not.toContain(row)
  })

  test('may have made its voice where the service failed over it', () => {
    const body = { name: made.name, file_id: 'f' }
    const failure = { status: 500, body: { code: 50000, message: 'failed' } }
    const alone = (trace: TraceBuilder): void => {
      trace.rest('clone-voice', failure, body)
      list(trace, [open, made])
    }
    expect(said(alone)).toEqual([])
    const again = (trace: TraceBuilder): void => {
      trace.again(trace.rest('clone-voice', failure, body), no(20004))
      list(trace, [open, made])
    }
    expect(said(again)).toEqual([])
  })

  test('is not blamed for a voice that was there before, or may have been', () => {
    const old = { ...made, name: 'fails' }
    expect(said(refused(30007, 'fails', [open, old], [open, old]))).toEqual([])
    expect(said(refused(20004, 'fails', undefined, [open, old]))).toEqual([])
  })
})

test('a voice that another workspace finds under the same id and another name is one of its own', () => {
  const asked = { name: 'Ada', file_id: 'file_aud_1', language: 'en' }
  const found = (voice: Json, key: string) => (trace: TraceBuilder) => {
    clone(trace, asked, ada)
    trace.rest('get-voice', ok(voice), {}, key, `/v1/voices/${ada.voice_id}`)
  }
  const other = { ...ada, name: 'Bea', language: 'de' }
  expect(said(found(other, 'other_workspace'))).toEqual([])
  expect(said(found({ ...ada, language: 'de' }, 'unlisted-1'))).toEqual([])
  expect(said(found(other, 'primary'))).toEqual(['voices.get.name', 'voices.get.language'])
})
