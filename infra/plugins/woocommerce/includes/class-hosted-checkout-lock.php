<?php
/**
 * One change of an order at a time.
 *
 * @package Hosted_Checkout
 */

defined( 'ABSPATH' ) || exit;

/**
 * Callbacks, the buyer's return and people's clicks may come at once, in several PHP processes. A row of the options
 * table, whose name is unique, is there while one of them changes an order.
 */
final class Hosted_Checkout_Lock {

	/**
	 * After so many seconds a row counts as left by a process that has died. It is more than any call may take.
	 */
	const STALE = 180;

	/**
	 * The orders that this process holds.
	 *
	 * @var bool[]
	 */
	private static $held = array();

	/**
	 * Runs a function while nobody else changes the order. Read the order in it: what was read before may be old.
	 *
	 * @param int      $order_id The order.
	 * @param int      $seconds  How long to wait for others.
	 * @param callable $change   The function.
	 * @return mixed What it returns, or a WP_Error 'hosted_checkout_busy' if it was not run.
	 */
	public static function run( int $order_id, int $seconds, callable $change ) {
		global $wpdb;
		if ( isset( self::$held[ $order_id ] ) ) {
			return $change();
		}
		$name = 'hosted_checkout_lock_' . $order_id;
		$mine = sprintf( '%d %s', time(), wp_generate_password( 20, false ) );
		for ( $until = microtime( true ) + $seconds; ! self::insert( $name, $mine ); usleep( 100000 ) ) {
			if ( microtime( true ) >= $until ) {
				return new WP_Error( 'hosted_checkout_busy', __( 'This order is being changed right now. Try again in a moment.', 'hosted-checkout' ) );
			}
		}
		self::$held[ $order_id ] = true;
		try {
			return $change();
		} finally {
			unset( self::$held[ $order_id ] );
			$wpdb->query( $wpdb->prepare( "DELETE FROM {$wpdb->options} WHERE option_name = %s AND option_value = %s", $name, $mine ) );
		}
	}

	/**
	 * Inserts the row.
	 *
	 * @param string $name Its name.
	 * @param string $mine Its value, which begins with the time.
	 * @return bool Whether it was not there.
	 */
	private static function insert( string $name, string $mine ): bool {
		global $wpdb;
		$stale = (string) ( time() - self::STALE );
		$wpdb->query( $wpdb->prepare( "DELETE FROM {$wpdb->options} WHERE option_name = %s AND option_value < %s", $name, $stale ) );
		return 1 === $wpdb->query( $wpdb->prepare( "INSERT IGNORE INTO {$wpdb->options} (option_name, option_value, autoload) VALUES (%s, %s, 'no')", $name, $mine ) );
	}
}
