<?php
// A double of what the checkout block asks of a payment method.

namespace Automattic\WooCommerce\Blocks\Payments\Integrations;

abstract class AbstractPaymentMethodType {
	protected $name     = '';
	protected $settings = array();

	abstract public function initialize();
	abstract public function is_active();
	abstract public function get_payment_method_script_handles();
	abstract public function get_payment_method_data();

	protected function get_setting( $name, $default_value = '' ) {
		return $this->settings[ $name ] ?? $default_value;
	}

	public function get_name() {
		return $this->name;
	}
}
