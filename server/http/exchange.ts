import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, Response } from 'express';

/** A request as the surfaces read it, whether Express or the front door took it in. */
export type HttpRequest = IncomingMessage & Pick<Request, 'originalUrl' | 'ip' | 'path'>;

/** Its answer, with what has become known of the request in `locals`. */
export type HttpResponse = ServerResponse & Pick<Response, 'locals'>;
