import { Command } from 'commander'
import type { Finish, Shell } from '../shell.ts'
import type { VerifyCommandOptions } from '../certify/verify.ts'

/** `greenroom verify`. */
export function verifyCommand(shell: Shell, finish: Finish): Command {
  return new Command('verify')
    .description('verify a certificate, offline: signature, digests, chains, and every trace judged anew')
    .argument('<certificate>', 'certificate.json of "npx greenroom certify"')
    .option('--key <file>', 'public key (PEM) of whoever must have signed it')
    .addHelpText(
      'after',
      '\nExit codes: 0 genuine, 1 not genuine, 2 no certificate, 3 made by a version that has to verify it.',
    )
    .action(async (certificate: string, options: VerifyCommandOptions) => {
      const { verify } = await import('../certify/verify.ts')
      finish(await verify(certificate, options, shell))
    })
}
