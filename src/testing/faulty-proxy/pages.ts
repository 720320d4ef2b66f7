/** What stands in front of a service, and answers for it now and then. */
export interface EdgeAnswer {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly text: string
}

const html = { 'content-type': 'text/html' }
const json = { 'content-type': 'application/json' }
const plain = { 'content-type': 'text/plain; charset=utf-8' }

export const sorry = '<html><head><title>Sorry</title></head><body><center><h1>Sorry</h1></center></body></html>\n'

const page = (status: number): EdgeAnswer => ({ status, headers: html, text: sorry })
const object = (status: number, body: object, headers = {}): EdgeAnswer => ({
  status,
  headers: { ...json, ...headers },
  text: JSON.stringify(body),
})

/** Pages that proxies of all kinds answer with: nginx, Traefik, Kong, APISIX, gateways and balancers of clouds, Envoy. */
export const edgeAnswers: readonly EdgeAnswer[] = [
  page(502),
  page(503),
  page(504),
  page(403),
  page(429),
  page(413),
  page(408),
  { status: 404, headers: plain, text: '404 page not found\n' },
  {
    status: 503,
    headers: plain,
    text: 'upstream connect error or disconnect/reset before headers. reset reason: overflow',
  },
  { status: 503, headers: plain, text: 'no healthy upstream' },
  { status: 504, headers: plain, text: 'upstream request timeout' },
  object(404, { message: 'no Route matched with those values', request_id: 'af31d1' }),
  object(503, { message: 'failure to get a peer from the ring-balancer' }),
  object(429, { message: 'API rate limit exceeded' }),
  object(404, { error_msg: '404 Route Not Found' }),
  object(502, { error_msg: 'Bad Gateway' }),
  object(400, { message: 'Bad Request' }),
  object(403, { message: 'Forbidden' }, { 'x-amzn-errortype': 'ForbiddenException' }),
  object(429, { message: 'Too Many Requests' }, { 'x-amzn-errortype': 'TooManyRequestsException' }),
  object(500, { message: 'Internal server error' }),
  object(504, { message: 'Endpoint request timed out' }),
  object(413, { error: 'request entity too large' }),
  {
    status: 302,
    headers: { ...html, location: 'https://status.example/maintenance.html' },
    text: '<html><h1>302 Found</h1></html>',
  },
]
