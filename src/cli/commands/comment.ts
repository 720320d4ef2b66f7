import { Command } from 'commander'
import type { Finish, Shell } from '../shell.ts'

/** `greenroom comment`. */
export function commentCommand(shell: Shell, finish: Finish): Command {
  return new Command('comment')
    .description(
      'put a summary under the pull request of this GitHub job, or the merge request of this GitLab job; a later run edits it',
    )
    .argument('<file>', 'Markdown, such as the summary.md of --report github')
    .action(async (file: string) => {
      const { comment } = await import('../comment/comment.ts')
      finish(await comment(file, shell))
    })
}
