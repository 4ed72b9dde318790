<?php
/**
 * What the plugin stores with an order.
 *
 * @package Hosted_Checkout
 */

defined( 'ABSPATH' ) || exit;

/**
 * Reads and writes the metadata of one order, under the order's lock.
 */
final class Hosted_Checkout_Record {

	/**
	 * The order.
	 *
	 * @var WC_Order
	 */
	private $order;

	/**
	 * Reads an order.
	 *
	 * @param WC_Order $order The order.
	 */
	public function __construct( WC_Order $order ) {
		$this->order = $order;
	}

	/**
	 * Loads an order as it is now, also if this process has read it before and WordPress or WooCommerce has cached it.
	 *
	 * @param int $order_id Its id.
	 * @return WC_Order|null Null if there is no such order.
	 */
	public static function order( int $order_id ) {
		$order = wc_get_order( $order_id );
		if ( ! $order instanceof WC_Order ) {
			return null;
		}
		clean_post_cache( $order_id );
		$order->get_data_store()->clear_cached_data( array( $order_id ) ); // does nothing in versions without it.
		$class = get_class( $order );
		$order = new $class( $order_id );
		$order->read_meta_data( true );
		return $order;
	}

	/**
	 * Loads the order of an order number of the service. Its random end tells shops with the same ids apart.
	 *
	 * @param string $number The number.
	 * @return WC_Order|null Null if this shop has no such order.
	 */
	public static function find( string $number ) {
		$id    = (int) strtok( $number, '-' );
		$order = $id > 0 ? self::order( $id ) : null;
		return $order && hash_equals( (string) $order->get_meta( '_hosted_checkout_number' ), $number ) ? $order : null;
	}

	/**
	 * Logs and notes what could not be done with an order.
	 *
	 * @param int      $order_id The order.
	 * @param WP_Error $why      Why.
	 */
	public static function note_failure( int $order_id, WP_Error $why ) {
		wc_get_logger()->warning( "order $order_id: " . $why->get_error_message(), array( 'source' => 'hosted-checkout' ) );
		$order = wc_get_order( $order_id );
		if ( $order instanceof WC_Order ) {
			$order->add_order_note( $why->get_error_message() );
		}
	}

	/**
	 * The number by which the service knows the order. It is made at the first call.
	 */
	public function number(): string {
		if ( '' === $this->get( 'number' ) ) {
			$this->set( 'number', $this->order->get_id() . '-' . strtolower( wp_generate_password( 8, false ) ) );
		}
		return $this->get( 'number' );
	}

	/**
	 * A value.
	 *
	 * @param string $name Its name: number, test, state, session, refunds, seen or key_OPERATION.
	 * @return mixed '' if it was never set.
	 */
	public function get( string $name ) {
		return $this->order->get_meta( '_hosted_checkout_' . $name );
	}

	/**
	 * Stores a value at once, and nothing else of the order.
	 *
	 * @param string $name  Its name.
	 * @param mixed  $value The value.
	 */
	public function set( string $name, $value ) {
		$this->order->update_meta_data( '_hosted_checkout_' . $name, $value );
		$this->order->save_meta_data();
	}

	/**
	 * The refunds that were requested or reported: lists of amount, state, key and time.
	 * A state is 'sent' (the response is not known), 'accepted' or 'done'.
	 *
	 * @return array[]
	 */
	public function refunds(): array {
		$refunds = $this->get( 'refunds' );
		return is_array( $refunds ) ? $refunds : array();
	}

	/**
	 * The client for the mode, live or test, in which the order is paid.
	 */
	public function client(): Hosted_Checkout_Client {
		return new Hosted_Checkout_Client( 'yes' === $this->get( 'test' ) );
	}

	/**
	 * Makes a call whose repeat is not done again: until its outcome is known, it has the same Idempotency-Key.
	 *
	 * @param string   $operation capture or void.
	 * @param array    $body      The fields.
	 * @param string[] $signed    The texts of the hash.
	 * @return array|WP_Error As of Hosted_Checkout_Client::call().
	 */
	public function call_once( string $operation, array $body, array $signed ) {
		if ( '' === $this->get( 'key_' . $operation ) ) {
			$this->set( 'key_' . $operation, wp_generate_password( 32, false ) );
		}
		$response = $this->client()->call( '/api/v1/payment/' . $operation, $body, $signed, $this->get( 'key_' . $operation ) );
		if ( ! is_wp_error( $response ) || 'hosted_checkout_refused' === $response->get_error_code() ) {
			$this->set( 'key_' . $operation, '' );
		}
		return $response;
	}
}
