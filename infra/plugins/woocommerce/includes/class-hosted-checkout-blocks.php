<?php
/**
 * The payment method in the checkout block.
 *
 * @package Hosted_Checkout
 */

defined( 'ABSPATH' ) || exit;

use Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType;

/**
 * Tells the checkout block of the payment method. The gateway does the rest.
 */
final class Hosted_Checkout_Blocks extends AbstractPaymentMethodType {

	/**
	 * The id of the gateway.
	 *
	 * @var string
	 */
	protected $name = 'hosted_checkout';

	/**
	 * Reads the settings.
	 */
	public function initialize() {
		$this->settings = get_option( 'woocommerce_hosted_checkout_settings', array() );
	}

	/**
	 * Whether the block offers it.
	 */
	public function is_active() {
		$gateways = WC()->payment_gateways()->payment_gateways();
		return isset( $gateways[ $this->name ] ) && $gateways[ $this->name ]->is_available();
	}

	/**
	 * The script of the block.
	 *
	 * @return string[]
	 */
	public function get_payment_method_script_handles() {
		wp_register_script( 'hosted-checkout-blocks', plugins_url( 'assets/blocks.js', HOSTED_CHECKOUT_FILE ), array( 'wc-blocks-registry', 'wc-settings', 'wp-element', 'wp-html-entities' ), '1.0.0', true );
		return array( 'hosted-checkout-blocks' );
	}

	/**
	 * What the script needs to know: nothing secret, since every buyer can read it.
	 *
	 * @return array
	 */
	public function get_payment_method_data() {
		return array(
			'title'       => $this->get_setting( 'title' ),
			'description' => $this->get_setting( 'description' ),
			'supports'    => array( 'products' ),
		);
	}
}
