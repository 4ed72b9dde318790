<?php
/**
 * The payment method.
 *
 * @package Hosted_Checkout
 */

defined( 'ABSPATH' ) || exit;

/**
 * The payment method as WooCommerce sees it, with its settings.
 */
class Hosted_Checkout_Gateway extends WC_Payment_Gateway {

	/**
	 * Addresses of the service: https, but for one on the shop's own machine.
	 */
	const ADDRESS = '#^(https://[^/?\#@\s]+|http://(localhost|127\.0\.0\.1)(:\d+)?)([/?]\S*)?$#Di';

	/**
	 * Reads the settings.
	 */
	public function __construct() {
		$this->id                 = 'hosted_checkout';
		$this->method_title       = __( 'Hosted Checkout', 'hosted-checkout' );
		$this->method_description = __( 'Buyers pay on the page of your payment service.', 'hosted-checkout' );
		$this->has_fields         = false;
		$this->supports           = array( 'products', 'refunds' );
		$this->init_form_fields();
		$this->init_settings();
		$this->enabled     = $this->get_option( 'enabled' );
		$this->title       = $this->get_option( 'title' );
		$this->description = $this->get_option( 'description' );
		add_action( 'woocommerce_update_options_payment_gateways_' . $this->id, array( $this, 'process_admin_options' ) );
	}

	/**
	 * The settings.
	 */
	public function init_form_fields() {
		$flag = function ( $title, $label ) {
			return array(
				'title'   => $title,
				'type'    => 'checkbox',
				'label'   => $label,
				'default' => 'no',
			);
		};
		$text = function ( $title, $description, $default_text = '', $type = 'text' ) {
			return array(
				'title'       => $title,
				'type'        => $type,
				'description' => $description,
				'default'     => $default_text,
			);
		};
		/* translators: %s: address */
		$secret = sprintf( __( 'Begins with whsec_. The service sends callbacks to %s and signs them with it.', 'hosted-checkout' ), esc_html( WC()->api_request_url( 'hosted_checkout' ) ) );

		$this->form_fields = array(
			'enabled'         => $flag( __( 'Enable', 'hosted-checkout' ), __( 'Offer this payment method', 'hosted-checkout' ) ),
			'title'           => $text( __( 'Title', 'hosted-checkout' ), __( 'What buyers choose at the checkout.', 'hosted-checkout' ), __( 'Card and other ways to pay', 'hosted-checkout' ) ),
			'description'     => $text( __( 'Description', 'hosted-checkout' ), __( 'What buyers read below it.', 'hosted-checkout' ), __( 'You pay on a secure page and come back here.', 'hosted-checkout' ), 'textarea' ),
			'base_url'        => $text( __( 'Address of the service', 'hosted-checkout' ), __( 'Such as https://checkout.example', 'hosted-checkout' ) ),
			'merchant_key'    => $text( __( 'Live key', 'hosted-checkout' ), __( 'Of your merchant account at the service.', 'hosted-checkout' ) ),
			'test_key'        => $text( __( 'Test key', 'hosted-checkout' ), __( 'Payments with it move no money.', 'hosted-checkout' ) ),
			'test_mode'       => $flag( __( 'Test mode', 'hosted-checkout' ), __( 'Use the test key', 'hosted-checkout' ) ),
			'password'        => $text( __( 'Password', 'hosted-checkout' ), __( 'It signs requests and is never sent.', 'hosted-checkout' ), '', 'password' ),
			'callback_secret' => $text( __( 'Callback secret', 'hosted-checkout' ), $secret, '', 'password' ),
			'admin_url'       => $text( __( 'Operators\' page', 'hosted-checkout' ), __( 'Address of the service\'s page for operators, for links from orders; may stay empty.', 'hosted-checkout' ) ),
			'authorize_only'  => $flag( __( 'Authorise only', 'hosted-checkout' ), __( 'Capture the payment later, from the order', 'hosted-checkout' ) ),
			'hash'            => array(
				'title'       => __( 'Hash', 'hosted-checkout' ),
				'type'        => 'select',
				'description' => __( 'SHA-256 only if your merchant account is set so.', 'hosted-checkout' ),
				'default'     => 'md5',
				'options'     => array(
					'md5'    => 'MD5',
					'sha256' => 'SHA-256',
				),
			),
		);
	}

	/**
	 * Checks the address before it is stored.
	 *
	 * @param string      $key   Of the field.
	 * @param string|null $value What was typed.
	 * @throws Exception If it is none.
	 */
	public function validate_base_url_field( $key, $value ) {
		$url = untrailingslashit( trim( sanitize_text_field( wp_unslash( (string) $value ) ) ) );
		if ( '' !== $url && ! preg_match( self::ADDRESS, $url ) ) {
			/* translators: %s: title of the setting */
			throw new Exception( sprintf( esc_html__( '%s has to begin with https://.', 'hosted-checkout' ), esc_html( $this->form_fields[ $key ]['title'] ) ) );
		}
		return $url;
	}

	/**
	 * The same of the operators' page.
	 *
	 * @param string      $key   Of the field.
	 * @param string|null $value What was typed.
	 * @throws Exception If it is none.
	 */
	public function validate_admin_url_field( $key, $value ) {
		return $this->validate_base_url_field( $key, $value );
	}

	/**
	 * Checks the callback secret before it is stored: with a broken one no callback could be believed.
	 *
	 * @param string      $key   Of the field.
	 * @param string|null $value What was typed.
	 * @throws Exception If it is none.
	 */
	public function validate_callback_secret_field( $key, $value ) {
		$secret = trim( wp_unslash( (string) $value ) );
		if ( '' !== $secret && ! preg_match( '#^whsec_[A-Za-z0-9+/]+={0,2}$#D', $secret ) ) {
			throw new Exception( esc_html__( 'The callback secret has to begin with whsec_.', 'hosted-checkout' ) );
		}
		return $secret;
	}

	/**
	 * Stores the settings, and tells which were wrong, which stay as they were, and which are missing.
	 */
	public function process_admin_options() {
		$this->errors = array();
		$stored       = parent::process_admin_options();
		if ( 'yes' === $this->get_option( 'enabled' ) && $this->needs_setup() ) {
			/* translators: %s: titles of settings */
			$this->add_error( sprintf( __( 'Buyers do not see this payment method yet. Missing: %s.', 'hosted-checkout' ), implode( ', ', $this->missing() ) ) );
		}
		foreach ( $this->get_errors() as $error ) {
			WC_Admin_Settings::add_error( $error );
		}
		return $stored;
	}

	/**
	 * The titles of settings that are empty and without which nobody can pay.
	 *
	 * @return string[]
	 */
	private function missing(): array {
		$key    = 'yes' === $this->get_option( 'test_mode' ) ? 'test_key' : 'merchant_key';
		$titles = array();
		foreach ( array( 'base_url', $key, 'password', 'callback_secret' ) as $name ) {
			if ( '' === (string) $this->get_option( $name ) ) {
				$titles[] = $this->form_fields[ $name ]['title'];
			}
		}
		return $titles;
	}

	/**
	 * Whether something is missing without which nobody can pay.
	 */
	public function needs_setup() {
		return array() !== $this->missing();
	}

	/**
	 * Whether it is offered: not before it is set up.
	 */
	public function is_available() {
		return parent::is_available() && ! $this->needs_setup();
	}

	/**
	 * The payment on the page of the service's operators, if the shop has its address.
	 *
	 * @param WC_Order $order The order.
	 */
	public function get_transaction_url( $order ) {
		$page = (string) $this->get_option( 'admin_url' );
		$id   = $order->get_transaction_id();
		return '' === $page || '' === $id ? '' : $page . '/#/payments/' . rawurlencode( $id );
	}

	/**
	 * Sends the buyer to the page.
	 *
	 * @param int $order_id The order.
	 * @return array
	 */
	public function process_payment( $order_id ) {
		$url = Hosted_Checkout_Lock::run(
			(int) $order_id,
			10,
			function () use ( $order_id ) {
				return ( new Hosted_Checkout_Session( Hosted_Checkout_Record::order( (int) $order_id ), $this ) )->url();
			}
		);
		if ( is_wp_error( $url ) ) {
			Hosted_Checkout_Record::note_failure( (int) $order_id, $url );
			wc_add_notice( __( 'The payment page could not be opened. Please try again in a moment.', 'hosted-checkout' ), 'error' );
			return array( 'result' => 'failure' );
		}
		return array(
			'result'   => 'success',
			'redirect' => $url,
		);
	}

	/**
	 * Whether there is a payment to refund.
	 *
	 * @param WC_Order $order The order.
	 */
	public function can_refund_order( $order ) {
		return parent::can_refund_order( $order ) && '' !== $order->get_transaction_id() && 'paid' === $order->get_meta( '_hosted_checkout_state' );
	}

	/**
	 * Refunds.
	 *
	 * @param int         $order_id The order.
	 * @param string|null $amount   Decimal text.
	 * @param string      $reason   Of the shop; the service takes none.
	 * @return true|WP_Error
	 */
	public function process_refund( $order_id, $amount = null, $reason = '' ) {
		$done = Hosted_Checkout_Lock::run(
			(int) $order_id,
			10,
			function () use ( $order_id, $amount ) {
				$order = Hosted_Checkout_Record::order( (int) $order_id );
				if ( ! $order || ! $this->can_refund_order( $order ) ) {
					return new WP_Error( 'hosted_checkout_refused', __( 'This order has no payment to refund.', 'hosted-checkout' ) );
				}
				return ( new Hosted_Checkout_Payment( $order ) )->refund( $amount );
			}
		);
		if ( is_wp_error( $done ) ) {
			Hosted_Checkout_Record::note_failure( (int) $order_id, $done );
		}
		return $done;
	}
}
