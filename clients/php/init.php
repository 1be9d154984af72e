<?php

declare(strict_types=1);

// Loads the library without Composer: require 'path/to/fundproof/init.php'.
if (!class_exists(\Fundproof\Client::class)) {
    spl_autoload_register(static function (string $class): void {
        if (str_starts_with($class, 'Fundproof\\')) {
            $file = __DIR__ . '/src/' . strtr(substr($class, strlen('Fundproof\\')), '\\', '/') . '.php';
            if (is_file($file)) {
                require $file;
            }
        }
    });
}
