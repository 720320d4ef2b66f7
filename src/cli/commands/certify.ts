import { Command } from 'commander'
import type { Finish, Shell } from '../shell.ts'
import type { CertifyOptions } from '../certify/certify.ts'
import type { KeygenOptions } from '../certify/keygen.ts'

/** `greenroom certify` and `greenroom certify keygen`. */
export function certifyCommand(shell: Shell, finish: Finish): Command {
  return (
    new Command('certify')
      .description('two complete runs that agree, as one signed file that anybody can verify offline')
      .option('--target <profile or URL>', 'what to certify (default: $GREENROOM_TARGET)')
      .option(
        '--key <file>',
        'private Ed25519 key (PEM) that signs; of an encrypted one the passphrase is in $GREENROOM_KEY_PASSPHRASE',
      )
      .option('--by <name>', 'who issues it, as the certificate and its page shall say')
      .option('--out <dir>', 'where certificate.json, certificate.html and the two runs go', 'reports/certificate')
      .option('--journal <file>', 'where to note what the runs make (default: a file in the state folder)')
      .option('--dry-run', 'say what is missing, show the plan of one run and its price, send nothing', false)
      // Both have --out.
      .enablePositionalOptions()
      .action(async (options: CertifyOptions) => {
        const { certify } = await import('../certify/certify.ts')
        finish(await certify(options, shell))
      })
      .addCommand(keygenCommand(shell, finish))
  )
}

function keygenCommand(shell: Shell, finish: Finish): Command {
  return new Command('keygen')
    .description('make a pair of keys: one signs certificates, the other verifies them')
    .option('--out <file>', 'where the private key goes; the public one beside it, with .pub', 'greenroom.key')
    .action(async (options: KeygenOptions) => {
      const { keygen } = await import('../certify/keygen.ts')
      finish(keygen(options, shell))
    })
}
