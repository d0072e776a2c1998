<?php
// A shop: the page creates a token, this server charges it, a webhook says that the order is paid.
// Only PHP itself is needed: `php shop.php` starts its built-in server with this same file.
declare(strict_types=1);

const TOLERANCE_S = 300;
const MAX_ATTEMPTS = 4;
const PAGE = __DIR__ . '/../shop-page';
const FILES = [
    '/' => ['text/html; charset=utf-8', PAGE . '/page.html'],
    '/page.css' => ['text/css', PAGE . '/page.css'],
    '/page.mjs' => ['text/javascript', PAGE . '/page.mjs'],
];

function setting(string $name, string $default): string
{
    return getenv($name) ?: $default;
}

$base_url = setting('KAIKEI_URL', 'http://127.0.0.1:8080');
$token = json_decode(file_get_contents(setting('KAIKEI_TOKEN', 'data/credentials.json')), true);
$shop = '127.0.0.1:' . setting('PORT', '3000');

/** Calls the service. With the same key, a call that is repeated has its effect once. */
function call(string $method, string $path, ?array $body = null): ?array
{
    global $base_url, $token;
    $options = ['method' => $method, 'timeout' => 35, 'ignore_errors' => true];
    $options['header'] = [
        "Authorization: Bearer {$token['secret']}.{$token['jwt']}",
        'Content-Type: application/json',
        'Idempotency-Key: ' . bin2hex(random_bytes(16)),
    ];
    if ($body !== null) {
        $options['content'] = json_encode($body);
    }
    for ($attempt = 1; ; $attempt += 1) {
        $http_response_header = [];
        $context = stream_context_create(['http' => $options]);
        $text = @file_get_contents($base_url . $path, false, $context);
        $head = implode("\n", $http_response_header);
        $status = preg_match('~^HTTP/\S+ (\d+)~', $head, $found) ? (int) $found[1] : 0;
        if ($text !== false && $status >= 200 && $status < 300) {
            return json_decode($text, true);
        }
        $is_final = $status >= 400 && $status < 500 && $status !== 408 && $status !== 429;
        if ($is_final || $attempt === MAX_ATTEMPTS) {
            $refusal = json_decode($text ?: '{}', true);
            throw new RuntimeException(($refusal['code'] ?? 'NO_RESPONSE') . ' ' . ($refusal['message'] ?? ''));
        }
        sleep(preg_match('~^retry-after: (\d+)~mi', $head, $found) ? (int) $found[1] : $attempt);
    }
}

/** The built-in server has no other place for messages. */
function note(string $text): void
{
    file_put_contents('php://stderr', "$text\n");
}

/** Whether the service has signed this message, and not long ago. */
function is_genuine(string $body, string $secret): bool
{
    $header = fn (string $name): string => $_SERVER["HTTP_WEBHOOK_$name"] ?? '';
    if (abs(time() - (int) $header('TIMESTAMP')) > TOLERANCE_S) {
        return false;
    }
    $key = base64_decode(preg_replace('~^whsec_~', '', $secret));
    $content = "{$header('ID')}.{$header('TIMESTAMP')}.$body";
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $content, $key, true));
    // There are two signatures while the secret is being changed; one that fits is enough.
    foreach (explode(' ', $header('SIGNATURE')) as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

/** Changes the state of the shop, one request after the other. In a real shop it is in tables. */
function change(callable $work): mixed
{
    $file = fopen(getenv('SHOP_STATE'), 'c+');
    flock($file, LOCK_EX);
    $state = json_decode(stream_get_contents($file) ?: '{"orders": {}}', true);
    $result = $work($state);
    rewind($file);
    ftruncate($file, 0);
    fwrite($file, json_encode($state));
    fclose($file);
    return $result;
}

function new_order(): array
{
    $order = ['id' => bin2hex(random_bytes(16)), 'amount' => 1200, 'currency' => 'JPY', 'status' => 'open'];
    return change(function (array &$state) use ($order) {
        $state['orders'][$order['id']] = $order;
        return $order;
    });
}

function find_order(string $id): ?array
{
    return change(fn (array &$state) => $state['orders'][$id] ?? null);
}

/** The amount is that of the order: a page could send another one. */
function pay_order(string $id, string $token_id): ?array
{
    $is_begun = change(function (array &$state) use ($id, $token_id) {
        $status = $state['orders'][$id]['status'] ?? 'unknown';
        if ($status !== 'open' && $status !== 'failed') {
            return false;
        }
        $state['orders'][$id] = [
            ...$state['orders'][$id], 'status' => 'pending', 'transaction_token_id' => $token_id,
        ];
        return true;
    });
    $order = find_order($id);
    if (!$is_begun) {
        return $order;
    }
    try {
        call('POST', '/charges', [
            'transaction_token_id' => $token_id,
            'amount' => $order['amount'],
            'currency' => $order['currency'],
            'metadata' => ['order_id' => $id],
        ]);
    } catch (RuntimeException $error) {
        note($error->getMessage());
        change(function (array &$state) use ($id) {
            $state['orders'][$id]['status'] = 'failed';
        });
    }
    return find_order($id);
}

/** A webhook may come more than once, which changes nothing here. */
function charge_finished(array $charge): void
{
    change(function (array &$state) use ($charge) {
        $id = $charge['metadata']['order_id'] ?? '';
        $order = $state['orders'][$id] ?? null;
        if ($order === null || $order['status'] === 'paid') {
            return;
        }
        if ($charge['status'] === 'successful' && $charge['charged_amount'] === $order['amount']) {
            $state['orders'][$id]['status'] = 'paid';
        } elseif ($charge['transaction_token_id'] === ($order['transaction_token_id'] ?? null)) {
            $state['orders'][$id]['status'] = 'failed';
        }
        note("order $id is {$state['orders'][$id]['status']}");
    });
}

function answer(int $status, mixed $body): void
{
    http_response_code($status);
    header('Content-Type: application/json');
    echo json_encode($body);
}

function handle(string $method, string $path, string $body): void
{
    global $base_url, $token;
    if ($method === 'GET' && isset(FILES[$path])) {
        [$type, $file] = FILES[$path];
        header("Content-Type: $type");
        header("Content-Security-Policy: default-src 'self'; img-src data:; script-src 'self' $base_url; frame-src $base_url");
        readfile($file);
    } elseif ("$method $path" === 'POST /orders') {
        answer(201, ['order' => new_order(), 'base_url' => $base_url, 'jwt' => $token['jwt']]);
    } elseif ("$method $path" === 'POST /webhook') {
        if (!is_genuine($body, getenv('WEBHOOK_SECRET'))) {
            answer(401, ['message' => 'The signature is not valid.']);
            return;
        }
        $event = json_decode($body, true);
        if ($event['event'] === 'charge_finished') {
            charge_finished($event['data']);
        }
        http_response_code(204);
    } elseif (preg_match('~^/orders/(\w+)(/payments)?$~', $path, $found) && find_order($found[1])) {
        $is_payment = isset($found[2]) && $method === 'POST';
        $token_id = json_decode($body, true)['transaction_token_id'] ?? '';
        answer(200, $is_payment ? pay_order($found[1], $token_id) : find_order($found[1]));
    } else {
        answer(404, ['message' => 'There is no such page.']);
    }
}

/** The webhook of this shop, found or created, and what verifies its messages. */
function webhook_secret(string $url): string
{
    global $token;
    $path = "/stores/{$token['store_id']}/webhooks";
    $known = array_column(call('GET', "$path?limit=100")['items'], 'id', 'url');
    $id = $known[$url] ?? call('POST', $path, ['url' => $url, 'triggers' => ['charge_finished']])['id'];
    return call('GET', "$path/$id/secret")['secret'];
}

if (PHP_SAPI === 'cli-server') {
    handle($_SERVER['REQUEST_METHOD'], $_SERVER['SCRIPT_NAME'], file_get_contents('php://input'));
    exit;
}
putenv('WEBHOOK_SECRET=' . webhook_secret("http://$shop/webhook"));
putenv('SHOP_STATE=' . tempnam(sys_get_temp_dir(), 'shop'));
echo "shop at http://$shop/\n";
$arguments = ['-q', '-S', $shop, __FILE__];
// On Windows a program cannot be replaced by another one.
if (function_exists('pcntl_exec')) {
    pcntl_exec(PHP_BINARY, $arguments);
}
passthru(implode(' ', array_map(escapeshellarg(...), [PHP_BINARY, ...$arguments])));
