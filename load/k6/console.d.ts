/** k6 has a console of its own; the types of k6 leave it to the browser's. */
declare const console: {
  log(text: string): void
  error(text: string): void
}
