import { Command, Option } from 'commander'
import type { RunChild } from '#scenario/run/run-child'
import { type CheckOptions, reportKinds } from '../check/options.ts'
import { duration, integer, names, repeated, repeatedChoice, repeatedNames } from '../numbers.ts'
import type { Finish, Shell } from '../shell.ts'

/** `greenroom check`. */
export function checkCommand(shell: Shell, finish: Finish): Command {
  return new Command('check')
    .description('judge whether a target obeys the interface; without --target, the embedded reference target')
    .option(
      '--target <profile or URL>',
      'what to check (default: $GREENROOM_TARGET; a URL takes its key from $GREENROOM_API_KEY)',
    )
    .addOption(
      new Option('--tier <tier>', 'how much may be spent').choices(['smoke', 'standard', 'full']).default('standard'),
    )
    .option('--only <id or part>', 'only this requirement, family, scenario or part (repeatable)', repeatedNames, [])
    .option(
      '--all-scenarios',
      'with --only <requirement>: also scenarios that show no mistake which the others miss',
      false,
    )
    .option(
      '--skip <id or part>',
      'leave this out on purpose: it is reported as not judged (repeatable)',
      repeatedNames,
      [],
    )
    .option('--within <time>', 'run what finds the most mistakes in this time, such as 3m', duration)
    .option('--budget <n>', 'run what finds the most mistakes with so many REST requests', integer(1))
    .option('--changed <parts>', 'run what can show a mistake in these parts, such as voices,audio-files', names)
    .option('--seed <n>', 'seed of everything random (default: a new one, shown at the end)', integer(0, 0xffff_ffff))
    .option('--max-requests <n>', 'send no more REST requests than this', integer(1))
    .option('--max-failures <n>', 'stop once this many requirements have failed, and end what was made', integer(1))
    .option('--out <dir>', 'where results.json and trace.ndjson go', 'reports/latest')
    .option('--journal <file>', 'where to note what the run makes (default: a file in the state folder)')
    .addOption(reportOption())
    .option('--require-all', 'rows that only lack a key, a trigger or a medium count as not judged (exit 3)', false)
    .option('--baseline <results>', 'an earlier results.json: only what did not fail in it makes the exit code 1')
    .option('--failed <results>', 'an earlier results.json: only what failed in it is run')
    .option('--confirm', 'send each failure again once, within the budget, and say what came of it', false)
    .option('--verbose', 'show each exchange and event as it comes, on standard error', false)
    .option('--dry-run', 'show the plan and its price, send nothing', false)
    .option('--defect <id>', 'seed a mistake into the embedded target (repeatable)', repeated, [])
    .option('--variation <id>', 'use a legal alternative of the embedded target (repeatable)', repeated, [])
    .option('--requests-per-minute <n>', "rate limit of the embedded target's keys", integer(1))
    .action(async (options: CheckOptions) => {
      const early = await getReady(options)
      try {
        const { check } = await import('../check/check.ts')
        finish(await check(options, shell, early))
      } finally {
        early?.stop()
      }
    })
}

/** What will run the scenarios gets ready while they are planned; where Allure records them, it has to know the folder. */
async function getReady({ dryRun, report }: CheckOptions): Promise<RunChild | undefined> {
  if (dryRun || report.includes('allure')) return undefined
  const { startChild } = await import('#scenario/run/run-child')
  return startChild()
}

function reportOption(): Option {
  return new Option(
    '--report <kind>',
    'also write report.html, junit.xml, ctrf.json, summary.md for GitHub or allure-results (repeatable)',
  )
    .choices(reportKinds)
    .default([])
    .argParser(repeatedChoice(reportKinds))
}
