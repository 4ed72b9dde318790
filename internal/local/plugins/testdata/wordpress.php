<?php
// Small doubles of WordPress' functions. They refuse what the real ones refuse, and know nothing that the plugin does
// not use.

define( 'ABSPATH', __DIR__ . '/' );

// Whatever PHP warns of fails the request.
set_error_handler(
	function ( $level, $message, $file, $line ) {
		if ( error_reporting() & $level ) {
			throw new ErrorException( $message, 0, $level, $file, $line );
		}
	}
);

// WordPress adds slashes to what comes from outside.
function slashed( $value ) {
	return is_array( $value ) ? array_map( 'slashed', $value ) : ( is_string( $value ) ? addslashes( $value ) : $value );
}
$_GET    = slashed( $_GET );
$_POST   = slashed( $_POST );
$_SERVER = slashed( $_SERVER );

class WP_Error {
	private $code;
	private $message;
	public function __construct( $code = '', $message = '' ) {
		$this->code    = $code;
		$this->message = $message;
	}
	public function get_error_code() {
		return $this->code;
	}
	public function get_error_message() {
		return $this->message;
	}
}

function is_wp_error( $thing ) {
	return $thing instanceof WP_Error;
}

define( 'HOUR_IN_SECONDS', 3600 );
define( 'DAY_IN_SECONDS', 86400 );

$hooks = array();

function add_filter( $hook, $function, $priority = 10, $accepted = 1 ) {
	global $hooks;
	$hooks[ $hook ][ $priority ][] = array( $function, $accepted );
	ksort( $hooks[ $hook ] );
	return true;
}

function add_action( $hook, $function, $priority = 10, $accepted = 1 ) {
	return add_filter( $hook, $function, $priority, $accepted );
}

function apply_filters( $hook, $value = '', ...$more ) {
	global $hooks;
	foreach ( $hooks[ $hook ] ?? array() as $functions ) {
		foreach ( $functions as list( $function, $accepted ) ) {
			$value = $function( ...array_slice( array( $value, ...$more ), 0, $accepted ) );
		}
	}
	return $value;
}

function do_action( $hook, ...$arguments ) {
	global $hooks;
	foreach ( $hooks[ $hook ] ?? array() as $functions ) {
		foreach ( $functions as list( $function, $accepted ) ) {
			$function( ...array_slice( $arguments ? $arguments : array( '' ), 0, $accepted ) );
		}
	}
}

function has_action( $hook ) {
	return isset( $GLOBALS['hooks'][ $hook ] );
}

function __( $text, $domain = 'default' ) {
	if ( 'hosted-checkout' !== $domain ) {
		throw new Exception( "text domain $domain of: $text" );
	}
	return $text;
}

function esc_html( $text ) {
	return htmlspecialchars( $text, ENT_QUOTES );
}

function esc_html__( $text, $domain = 'default' ) {
	return esc_html( __( $text, $domain ) );
}

function get_option( $name, $default_value = false ) {
	$options = json_decode( file_get_contents( shop_file( 'options.json' ) ), true );
	return $options[ $name ] ?? $default_value;
}

function update_option( $name, $value ) {
	$options          = json_decode( file_get_contents( shop_file( 'options.json' ) ), true );
	$options[ $name ] = $value;
	file_put_contents( shop_file( 'options.json' ), json_encode( $options ) );
	return true;
}

function delete_option( $name ) {
	$options = json_decode( file_get_contents( shop_file( 'options.json' ) ), true );
	unset( $options[ $name ] );
	file_put_contents( shop_file( 'options.json' ), json_encode( $options ) );
}

// The options table as far as locks use it: a file for each row, since a name is unique.
class wpdb {
	public $options = 'wp_options';

	public function prepare( $query, ...$values ) {
		if ( substr_count( $query, '%s' ) !== count( $values ) ) {
			throw new Exception( "placeholders of $query" );
		}
		return array( $query, $values );
	}

	public function query( $prepared ) {
		if ( is_string( $prepared ) ) {
			return count( array_map( 'unlink', glob( shop_file( 'row-hosted_checkout_lock_*' ) ) ) );
		}
		list( $query, $values ) = $prepared;
		$row                    = shop_file( 'row-' . $values[0] );
		if ( 0 === strpos( $query, 'INSERT IGNORE INTO wp_options (option_name, option_value, autoload) VALUES' ) ) {
			$temporary = tempnam( getenv( 'SHOP_FOLDER' ), 'new' );
			file_put_contents( $temporary, $values[1] );
			$inserted = @link( $temporary, $row ) ? 1 : 0;
			unlink( $temporary );
			if ( ! $inserted ) {
				touch( shop_file( 'somebody-waits' ) ); // a test may wait for that
			}
			return $inserted;
		}
		if ( ! preg_match( '/^DELETE FROM wp_options WHERE option_name = %s AND option_value ([=<]) %s$/', $query, $found ) ) {
			throw new Exception( "unknown query $query" );
		}
		$value = @file_get_contents( $row );
		if ( false === $value || ! ( '=' === $found[1] ? $value === $values[1] : strcmp( $value, $values[1] ) < 0 ) ) {
			return 0;
		}
		return @unlink( $row ) ? 1 : 0;
	}
}
$wpdb = new wpdb();

function wp_unslash( $value ) {
	return is_array( $value ) ? array_map( 'wp_unslash', $value ) : ( is_string( $value ) ? stripslashes( $value ) : $value );
}

function wp_check_invalid_utf8( $text, $strip = false ) {
	return preg_match( '//u', $text ) ? $text : ( $strip ? mb_scrub_text( $text ) : '' );
}

function mb_scrub_text( $text ) {
	return iconv( 'utf-8', 'utf-8//IGNORE', $text );
}

function sanitize_text_field( $text ) {
	$text = wp_check_invalid_utf8( (string) $text );
	if ( false !== strpos( $text, '<' ) ) {
		$text = strip_tags( preg_replace( '/<(?![a-z\/!?])/i', '&lt;', $text ) );
	}
	$text = preg_replace( '/[\r\n\t ]+/', ' ', $text );
	while ( preg_match( '/%[a-f0-9]{2}/i', $text, $found ) ) {
		$text = str_replace( $found[0], '', $text );
	}
	return trim( $text );
}

function wp_specialchars_decode( $text, $quotes = ENT_NOQUOTES ) {
	return htmlspecialchars_decode( $text, $quotes );
}

function wp_json_encode( $value ) {
	return json_encode( $value );
}

function wp_generate_password( $length = 12, $special = true ) {
	if ( $special ) {
		throw new Exception( 'special characters' );
	}
	$characters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
	$password   = '';
	for ( $i = 0; $i < $length; $i++ ) {
		$password .= $characters[ random_int( 0, 61 ) ];
	}
	return $password;
}

function wp_remote_post( $url, $given ) {
	$headers = '';
	foreach ( $given['headers'] as $name => $value ) {
		$headers .= "$name: $value\r\n";
	}
	$http = array(
		'method'          => 'POST',
		'header'          => $headers,
		'content'         => $given['body'],
		'timeout'         => $given['timeout'],
		'follow_location' => $given['redirection'] ? 1 : 0,
		'ignore_errors'   => true,
	);
	$body = @file_get_contents( $url, false, stream_context_create( array( 'http' => $http ) ) );
	if ( false === $body || ! preg_match( '#^HTTP/\S+ (\d+)#', $http_response_header[0], $found ) ) {
		return new WP_Error( 'http_request_failed', 'no response' );
	}
	return array(
		'response' => array( 'code' => (int) $found[1] ),
		'body'     => $body,
	);
}

function wp_remote_retrieve_response_code( $response ) {
	return is_wp_error( $response ) ? '' : $response['response']['code'];
}

function wp_remote_retrieve_body( $response ) {
	return is_wp_error( $response ) ? '' : $response['body'];
}

function home_url( $path = '' ) {
	return 'http://' . $_SERVER['HTTP_HOST'] . $path;
}

// Only to the shop's own host.
function wp_safe_redirect( $url ) {
	$port = parse_url( $url, PHP_URL_PORT );
	if ( parse_url( $url, PHP_URL_HOST ) . ( $port ? ":$port" : '' ) !== $_SERVER['HTTP_HOST'] ) {
		$url = home_url( '/wp-admin/' );
	}
	header( "Location: $url", true, 302 );
	return true;
}

function add_query_arg( $values, $url ) {
	foreach ( $values as $name => $value ) {
		$url .= ( strpos( $url, '?' ) ? '&' : '?' ) . "$name=$value";
	}
	return $url;
}

function status_header( $status ) {
	http_response_code( $status );
}

function absint( $value ) {
	return abs( (int) $value );
}

function untrailingslashit( $text ) {
	return rtrim( $text, '/\\' );
}

function get_bloginfo( $what ) {
	return 'name' === $what ? 'Größe &amp; &#039;Söhne&#039;' : '';
}

function determine_locale() {
	return 'de_DE_formal';
}

function current_user_can( $capability, ...$of ) {
	return 'edit_shop_orders' === $capability && 'yes' === ( $_GET['can'] ?? '' );
}

function clean_post_cache( $id ) {
}

function is_admin() {
	return WP_ADMIN;
}

function admin_url( $path ) {
	return home_url( '/wp-admin/' . $path );
}

function esc_url( $url ) {
	return htmlspecialchars( $url, ENT_QUOTES );
}

function plugin_basename( $file ) {
	return 'hosted-checkout/' . basename( $file );
}

function load_plugin_textdomain( $domain, $deprecated, $path ) {
	return 'hosted-checkout/languages' === $path;
}

function plugins_url( $path, $file ) {
	if ( ! is_file( dirname( $file ) . '/' . $path ) ) {
		throw new Exception( "no file $path" );
	}
	return home_url( '/wp-content/plugins/hosted-checkout/' . $path );
}

function wp_register_script( $handle, $url, $needs, $version, $footer ) {
	return true;
}
