<?php
/**
 * What people do with an order.
 *
 * @package Hosted_Checkout
 */

defined( 'ABSPATH' ) || exit;

/**
 * Captures and voids by an order's actions and by its status. WooCommerce has checked the nonce of an action.
 */
final class Hosted_Checkout_Admin {

	/**
	 * Registers what people can do.
	 */
	public static function register() {
		add_filter( 'plugin_action_links_' . plugin_basename( HOSTED_CHECKOUT_FILE ), array( __CLASS__, 'links' ) );
		add_filter( 'woocommerce_order_actions', array( __CLASS__, 'actions' ), 10, 2 );
		foreach ( array( 'capture', 'void', 'sync' ) as $what ) {
			add_action(
				'woocommerce_order_action_hosted_checkout_' . $what,
				function ( $order ) use ( $what ) {
					if ( $order instanceof WC_Order && current_user_can( 'edit_shop_orders' ) ) {
						self::run( $order, $what );
					}
				}
			);
		}
		add_action( 'woocommerce_order_status_processing', array( __CLASS__, 'capture' ), 5 );
		add_action( 'woocommerce_order_status_completed', array( __CLASS__, 'capture' ), 5 );
		add_action( 'woocommerce_order_status_cancelled', array( __CLASS__, 'release' ), 5 );
		foreach ( array( 'processing', 'completed' ) as $status ) {
			add_filter( "woocommerce_email_enabled_customer_{$status}_order", array( __CLASS__, 'tells_buyer' ), 10, 2 );
		}
	}

	/**
	 * The plugin's links in the list of plugins, with one to its settings.
	 *
	 * @param string[] $links HTML.
	 */
	public static function links( $links ) {
		$settings = admin_url( 'admin.php?page=wc-settings&tab=checkout&section=hosted_checkout' );
		array_unshift( $links, '<a href="' . esc_url( $settings ) . '">' . esc_html__( 'Settings', 'hosted-checkout' ) . '</a>' );
		return $links;
	}

	/**
	 * Whether a buyer is told that the order is processed or complete: not once its capture has failed.
	 *
	 * @param bool          $enabled Whether the shop sends this e-mail.
	 * @param WC_Order|null $order   The order.
	 */
	public static function tells_buyer( $enabled, $order = null ) {
		$held = $order instanceof WC_Order ? self::authorised( $order->get_id() ) : null;
		return $enabled && ! ( $held && $held->has_status( 'on-hold' ) );
	}

	/**
	 * The actions of an order.
	 *
	 * @param string[]      $actions Labels by name.
	 * @param WC_Order|null $order   The order.
	 */
	public static function actions( $actions, $order = null ) {
		if ( ! $order instanceof WC_Order || 'hosted_checkout' !== $order->get_payment_method() ) {
			return $actions;
		}
		$record = new Hosted_Checkout_Record( $order );
		if ( 'authorised' === $record->get( 'state' ) ) {
			$actions['hosted_checkout_capture'] = __( 'Capture the authorised payment', 'hosted-checkout' );
			$actions['hosted_checkout_void']    = __( 'Release the authorised payment', 'hosted-checkout' );
		}
		if ( '' !== $record->get( 'number' ) ) {
			$actions['hosted_checkout_sync'] = __( 'Ask the payment service for the payment', 'hosted-checkout' );
		}
		return $actions;
	}

	/**
	 * Does something to a payment, and notes and tells a failure.
	 *
	 * @param WC_Order $order The order.
	 * @param string   $what  capture, void or sync.
	 * @return bool Whether it was done.
	 */
	private static function run( WC_Order $order, string $what ): bool {
		$done = Hosted_Checkout_Payment::run( $order->get_id(), $what );
		if ( is_wp_error( $done ) && is_admin() ) {
			WC_Admin_Meta_Boxes::add_error( '#' . $order->get_order_number() . ': ' . $done->get_error_message() );
		}
		if ( is_wp_error( $done ) && 'hosted_checkout_declined' !== $done->get_error_code() ) { // which is noted already.
			Hosted_Checkout_Record::note_failure( $order->get_id(), $done );
		}
		return ! is_wp_error( $done );
	}

	/**
	 * An authorised order is about to be shipped: captures it, or puts it back on hold.
	 *
	 * @param int $order_id The order.
	 */
	public static function capture( $order_id ) {
		$order = self::authorised( $order_id );
		if ( $order && ! self::run( $order, 'capture' ) ) {
			$order->set_date_paid( null ); // which WooCommerce has set with the status.
			$order->set_date_completed( null );
			$order->update_status( 'on-hold' );
		}
	}

	/**
	 * An authorised order was cancelled: releases the money.
	 *
	 * @param int $order_id The order.
	 */
	public static function release( $order_id ) {
		$order = self::authorised( $order_id );
		if ( $order ) {
			self::run( $order, 'void' );
		}
	}

	/**
	 * The order if its payment is authorised.
	 *
	 * @param int $order_id The order.
	 * @return WC_Order|null
	 */
	private static function authorised( $order_id ) {
		$order = Hosted_Checkout_Record::order( (int) $order_id );
		return $order && 'authorised' === $order->get_meta( '_hosted_checkout_state' ) ? $order : null;
	}
}
