import { createClient } from '@quayside/sdk';
/** The public URL of the service without a trailing slash. The served page has a base element with this URL. */
export const serviceUrl = new URL('.', document.baseURI).href.replace(/\/$/, '');
/** The path of the service, such as `/builds`, or an empty string if the service has a host of its own. */
export const basePath = new URL(serviceUrl).pathname.replace(/\/$/, '');
/** The API with the session of the person who is signed in. The browser sends the cookie. */
export const api = createClient({ baseUrl: serviceUrl, retries: 2 });
