/** How deep the nested documents go. */
export const DEPTH = 100_000

/** A JSON array in an array in an array. */
export const deepArray = '['.repeat(DEPTH) + ']'.repeat(DEPTH)

/** Everything that a terminal, a log, a page, an XML report or a CI runner might obey. */
export const nastyText = [
  '\u001b[2J\u001b[31mred\u001b[0m\u001b]0;title\u0007\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\',
  '</script><script>alert(1)</script><img src=x onerror=alert(2)>',
  ']]></failure><testcase name="forged"/><!--',
  '\r\n::error::forged\n::set-output name=x::y\n##[error]forged',
  '\u0000\u0008\u007f\u009b31m\u202edrawkcab\u2028\u2029\ufeff',
  '${process.exit(0)} {{constructor.constructor("1")()}} %s%n `rm -rf x` | | # heading',
].join('\n')

/** The members that pollute a careless copy. Raw text: an object literal would lose `__proto__`. */
export const pollution =
  '"__proto__":{"polluted":true,"status":"active"},"constructor":{"prototype":{"polluted":true}},"toString":"polluted"'
