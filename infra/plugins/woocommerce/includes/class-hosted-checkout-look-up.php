<?php
/**
 * Orders whose callback never came.
 *
 * @package Hosted_Checkout
 */

defined( 'ABSPATH' ) || exit;

/**
 * Asks the service for the payment of an order some time after it should be decided, with WooCommerce's own scheduler.
 */
final class Hosted_Checkout_Look_Up {

	const HOOK = 'hosted_checkout_look_up';

	/**
	 * How long after the session's end the service is asked, and then again as long as nothing is decided, in seconds.
	 */
	const LATER = array( 300, HOUR_IN_SECONDS, DAY_IN_SECONDS, 3 * DAY_IN_SECONDS );

	/**
	 * Registers the action.
	 */
	public static function register() {
		add_action( self::HOOK, array( __CLASS__, 'run' ), 10, 2 );
	}

	/**
	 * Plans the first look, instead of those that are planned for the order.
	 *
	 * @param int $order_id The order.
	 * @param int $lasts    How long its session lasts, in seconds.
	 */
	public static function plan( int $order_id, int $lasts ) {
		foreach ( array_keys( self::LATER ) as $turn ) {
			as_unschedule_action( self::HOOK, array( $order_id, $turn ), 'hosted-checkout' );
		}
		as_schedule_single_action( time() + $lasts + self::LATER[0], self::HOOK, array( $order_id, 0 ), 'hosted-checkout' );
	}

	/**
	 * Asks, and plans the next look if nothing is decided.
	 *
	 * @param int $order_id The order.
	 * @param int $turn     How often it was asked before.
	 */
	public static function run( $order_id, $turn ) {
		if ( ! wc_get_order( $order_id ) ) {
			return; // somebody has deleted it.
		}
		$done  = Hosted_Checkout_Payment::run( (int) $order_id, 'sync' );
		$order = Hosted_Checkout_Record::order( (int) $order_id );
		if ( is_wp_error( $done ) ) {
			$session = $order->get_meta( '_hosted_checkout_session' );
			if ( 'hosted_checkout_refused' === $done->get_error_code() && empty( $session['url'] ) ) {
				return; // no page was ever opened, and the service does not know the order.
			}
			Hosted_Checkout_Record::note_failure( (int) $order_id, $done );
		}
		$next  = self::LATER[ $turn + 1 ] ?? 0;
		if ( $next && ( is_wp_error( $done ) || 'waiting' === $order->get_meta( '_hosted_checkout_state' ) ) ) {
			as_schedule_single_action( time() + $next, self::HOOK, array( (int) $order_id, $turn + 1 ), 'hosted-checkout' );
		}
	}
}
