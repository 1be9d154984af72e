<?php

declare(strict_types=1);

// A small server for TransportTest. It prints its address, and ends when its standard input closes.
//
// GET /stream sends one event and stays open; GET /cut sends one event and closes; GET /head closes
// within the header; GET /stuck sends half of an error. The answer to every other request has the
// request's header and body, the number of its connection, and the number of closed streams.

$server = stream_socket_server('tcp://127.0.0.1:0');
echo stream_socket_get_name($server, false), "\n";

$clients = [];
$received = [];
$streams = [];
$closed = 0;
$connections = 0;
$names = [];

while (true) {
    $readable = [STDIN, $server, ...$clients];
    $write = $except = null;
    stream_select($readable, $write, $except, null);
    foreach ($readable as $socket) {
        if ($socket === STDIN) {
            exit(0);
        }
        if ($socket === $server) {
            $client = stream_socket_accept($server);
            $clients[(int) $client] = $client;
            $received[(int) $client] = '';
            $names[(int) $client] = ++$connections;
            continue;
        }
        $id = (int) $socket;
        $bytes = fread($socket, 65536);
        if ($bytes === '' || $bytes === false) {
            $closed += isset($streams[$id]) ? 1 : 0;
            fclose($socket);
            unset($clients[$id], $received[$id], $streams[$id]);
            continue;
        }
        $received[$id] .= $bytes;
        [$head, $body] = explode("\r\n\r\n", $received[$id], 2) + [1 => null];
        preg_match('/^content-length: (\d+)/mi', $head, $length);
        if ($body === null || strlen($body) < (int) ($length[1] ?? 0)) {
            continue;
        }
        $received[$id] = '';
        if (str_starts_with($head, 'GET /cut') || str_starts_with($head, 'GET /head')) {
            $rest = "Content-Length: 99\r\n\r\nid: 1\ndata: {}\n\n";
            fwrite($socket, "HTTP/1.1 200 OK\r\n" . (str_starts_with($head, 'GET /cut') ? $rest : ''));
            fclose($socket);
            unset($clients[$id], $received[$id]);
            continue;
        }
        if (str_starts_with($head, 'GET /stuck')) {
            fwrite($socket, "HTTP/1.1 403 Forbidden\r\nContent-Length: 99\r\n\r\n{");
            continue;
        }
        if (str_starts_with($head, 'GET /stream')) {
            $streams[$id] = true;
            fwrite($socket, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nid: 1\ndata: {}\n\n");
            continue;
        }
        $json = json_encode(['connection' => $names[$id], 'head' => $head, 'body' => $body, 'closed' => $closed]);
        $size = strlen($json);
        $status = str_contains($head, '/redirect') ? "302 Found\r\nLocation: /elsewhere" : '200 OK';
        $content = "X-Two: a\r\nX-Two: b\r\nContent-Length: $size\r\n\r\n$json";
        fwrite($socket, "HTTP/1.1 100 Continue\r\nX-Two: no\r\n\r\nHTTP/1.1 $status\r\n$content");
    }
}
