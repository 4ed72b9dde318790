<?php
/**
 * What comes from outside: callbacks of the service and buyers who return.
 *
 * @package Hosted_Checkout
 */

defined( 'ABSPATH' ) || exit;

/**
 * Callbacks are believed if they are signed. A buyer's return is no proof: the service is asked.
 */
final class Hosted_Checkout_Callback {

	/**
	 * How old, in seconds, a callback may be.
	 */
	const MAX_AGE = 300;

	/**
	 * Registers both addresses.
	 */
	public static function register() {
		add_action( 'woocommerce_api_hosted_checkout', array( __CLASS__, 'handle' ) );
		add_action( 'woocommerce_api_hosted_checkout_return', array( __CLASS__, 'handle_return' ) );
	}

	/**
	 * Handles a callback and ends the request. The service repeats what has no status 200.
	 */
	public static function handle() {
		$headers = array();
		foreach ( array( 'webhook_id', 'webhook_timestamp', 'webhook_signature', 'content_type' ) as $name ) {
			$at               = 'content_type' === $name ? 'CONTENT_TYPE' : 'HTTP_' . strtoupper( $name );
			$headers[ $name ] = isset( $_SERVER[ $at ] ) ? sanitize_text_field( wp_unslash( $_SERVER[ $at ] ) ) : '';
		}
		status_header( self::receive( (string) file_get_contents( 'php://input', false, null, 0, 1 << 20 ), $headers ) );
		exit;
	}

	/**
	 * Checks a callback and applies it.
	 *
	 * @param string   $body    As it came.
	 * @param string[] $headers By name.
	 * @return int The status of the response.
	 */
	private static function receive( string $body, array $headers ): int {
		$secret = ( new Hosted_Checkout_Client( false ) )->setting( 'callback_secret' );
		if ( '' === $secret || ! self::is_signed( $body, $headers, $secret ) ) {
			return 400;
		}
		$fields = array();
		if ( 0 === strpos( $headers['content_type'], 'application/json' ) ) {
			$fields = json_decode( $body, true );
		} else {
			parse_str( $body, $fields );
		}
		$event = self::event( is_array( $fields ) ? $fields : array() );
		$status = Hosted_Checkout_Lock::run(
			(int) strtok( $event['order_number'], '-' ),
			5,
			function () use ( $event, $headers ) {
				$order = Hosted_Checkout_Record::find( $event['order_number'] );
				if ( ! $order ) {
					return 404;
				}
				self::apply_once( $order, $event, $headers['webhook_id'] );
				return 200;
			}
		);
		if ( is_wp_error( $status ) ) {
			wc_get_logger()->warning( 'callback: ' . $status->get_error_message(), array( 'source' => 'hosted-checkout' ) );
			return 503;
		}
		return $status;
	}

	/**
	 * Applies an event if it was not applied before.
	 *
	 * @param WC_Order $order The order.
	 * @param array    $event The event.
	 * @param string   $id    webhook-id, the same in every repeat.
	 */
	private static function apply_once( WC_Order $order, array $event, string $id ) {
		$record = new Hosted_Checkout_Record( $order );
		$seen   = $record->get( 'seen' );
		$seen   = is_array( $seen ) ? $seen : array();
		if ( ! in_array( $id, $seen, true ) ) {
			( new Hosted_Checkout_State( $order ) )->apply( $event );
			$seen[] = $id;
			$record->set( 'seen', $seen );
		}
	}

	/**
	 * Whether a body is signed as Standard Webhooks has it, and new.
	 *
	 * @param string   $body    The body.
	 * @param string[] $headers By name.
	 * @param string   $secret  whsec_ and base64.
	 */
	private static function is_signed( string $body, array $headers, string $secret ): bool {
		$key  = base64_decode( preg_replace( '/^whsec_/', '', $secret ), true ); // phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions
		$time = $headers['webhook_timestamp'];
		if ( ! $key || ! preg_match( '/^\d{1,12}$/D', $time ) || abs( time() - (int) $time ) > self::MAX_AGE ) {
			return false;
		}
		$text = $headers['webhook_id'] . '.' . $time . '.' . $body;
		$want = 'v1,' . base64_encode( hash_hmac( 'sha256', $text, $key, true ) ); // phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions
		foreach ( explode( ' ', $headers['webhook_signature'] ) as $signature ) {
			if ( hash_equals( $want, $signature ) ) {
				return true;
			}
		}
		return false;
	}

	/**
	 * The event of a callback's fields.
	 *
	 * @param array $fields As they came.
	 * @return string[]
	 */
	private static function event( array $fields ): array {
		$event = array();
		foreach ( array( 'id', 'type', 'status', 'order_status', 'order_number', 'order_amount', 'order_currency', 'transaction_amount', 'reason' ) as $name ) {
			$event[ $name ] = isset( $fields[ $name ] ) && is_string( $fields[ $name ] ) ? $fields[ $name ] : '';
		}
		$event['currency'] = $event['order_currency'];
		$event['amount']   = '' !== $event['transaction_amount'] ? $event['transaction_amount'] : $event['order_amount'];
		return $event;
	}

	/**
	 * Sends a buyer on who comes back from the page. The order's key, which only its buyer has, says who it is.
	 */
	public static function handle_return() {
		$given = array();
		foreach ( array( 'order', 'key', 'how' ) as $name ) {
			$given[ $name ] = isset( $_GET[ $name ] ) && is_string( $_GET[ $name ] ) ? sanitize_text_field( wp_unslash( $_GET[ $name ] ) ) : ''; // phpcs:ignore WordPress.Security.NonceVerification
		}
		$order_id = absint( $given['order'] );
		$url      = Hosted_Checkout_Lock::run(
			$order_id,
			5,
			function () use ( $order_id, $given ) {
				return self::where_to( $order_id, $given, true );
			}
		);
		wp_safe_redirect( is_wp_error( $url ) ? self::where_to( $order_id, $given, false ) : $url );
		exit;
	}

	/**
	 * Where a buyer goes.
	 *
	 * @param int      $order_id The order.
	 * @param string[] $given    key and how of the address.
	 * @param bool     $ask      Whether to ask the service.
	 */
	private static function where_to( int $order_id, array $given, bool $ask ): string {
		$order = Hosted_Checkout_Record::order( $order_id );
		if ( ! $order || ! $order->key_is_valid( $given['key'] ) ) {
			return home_url( '/' );
		}
		$record  = new Hosted_Checkout_Record( $order );
		$session = $record->get( 'session' );
		if ( $ask && ! $order->is_paid() && is_array( $session ) ) {
			( new Hosted_Checkout_Payment( $order ) )->sync();
		}
		if ( 'left' !== $given['how'] || ! $order->needs_payment() ) {
			return $order->get_checkout_order_received_url();
		}
		if ( $ask && 'declined' === $record->get( 'state' ) && is_array( $record->get( 'session' ) ) ) {
			$session['until'] = 0; // after a decline the page leads here when it takes no more attempts.
			$record->set( 'session', $session );
		}
		if ( WC()->session ) {
			wc_add_notice( __( 'The payment was not completed. You can try again.', 'hosted-checkout' ), 'notice' );
		}
		return $order->get_checkout_payment_url();
	}
}
