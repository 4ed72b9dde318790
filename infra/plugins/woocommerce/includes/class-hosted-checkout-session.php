<?php
/**
 * Where a buyer pays.
 *
 * @package Hosted_Checkout
 */

defined( 'ABSPATH' ) || exit;

/**
 * Creates the session of an order, once for every state of the order: two open sessions could both be paid.
 */
final class Hosted_Checkout_Session {

	/**
	 * The languages of the page, by those of WordPress.
	 */
	const LANGUAGES = array(
		'ar' => 'ar',
		'az' => 'az',
		'de' => 'de',
		'en' => 'en',
		'es' => 'es',
		'fr' => 'fr',
		'kk' => 'kk',
		'nb' => 'no',
		'nn' => 'no',
		'ru' => 'ru',
		'uk' => 'ua',
		'zh' => 'zh',
	);

	/**
	 * So long, in seconds, the service takes no second session of the same order.
	 */
	const TWINS = 15;

	/**
	 * The order.
	 *
	 * @var WC_Order
	 */
	private $order;

	/**
	 * What is stored with it.
	 *
	 * @var Hosted_Checkout_Record
	 */
	private $record;

	/**
	 * The gateway, for its settings.
	 *
	 * @var WC_Payment_Gateway
	 */
	private $gateway;

	/**
	 * Reads an order.
	 *
	 * @param WC_Order           $order   The order.
	 * @param WC_Payment_Gateway $gateway The gateway.
	 */
	public function __construct( WC_Order $order, WC_Payment_Gateway $gateway ) {
		$this->order   = $order;
		$this->record  = new Hosted_Checkout_Record( $order );
		$this->gateway = $gateway;
	}

	/**
	 * The address where the buyer pays, or the shop's own page if the order turns out to be paid. It runs under the
	 * order's lock.
	 *
	 * @return string|WP_Error
	 */
	public function url() {
		$last = $this->record->get( 'session' );
		if ( is_array( $last ) ) {
			$known = ( new Hosted_Checkout_Payment( $this->order ) )->sync();
			if ( is_wp_error( $known ) && 'hosted_checkout_unknown' === $known->get_error_code() ) {
				return $known;
			}
		}
		if ( ! $this->order->needs_payment() ) {
			return $this->order->get_checkout_order_received_url();
		}
		$amount = Hosted_Checkout_Money::text( $this->order->get_total(), $this->order->get_currency() );
		if ( '' === $amount ) {
			return new WP_Error( 'hosted_checkout_refused', __( 'The order\'s total has more decimals than its currency.', 'hosted-checkout' ) );
		}
		$test = $this->gateway->get_option( 'test_mode' );
		$body = $this->body( $amount );
		$last = $this->reusable( $test, $body );
		if ( '' !== $last['url'] ) {
			return $last['url'];
		}
		$this->record->set( 'test', $test );
		$this->record->set( 'session', $last );
		Hosted_Checkout_Look_Up::plan( $this->order->get_id(), 60 * $body['session_expiry'] );
		$response = $this->record->client()->call( '/api/v1/session', $body, array_values( $body['order'] ), $last['key'] );
		if ( is_wp_error( $response ) && 'hosted_checkout_twin' === $response->get_error_code() ) {
			sleep( self::TWINS + 1 ); // a buyer who has left at once and pays again.
			$response = $this->record->client()->call( '/api/v1/session', $body, array_values( $body['order'] ), $last['key'] );
		}
		if ( is_wp_error( $response ) ) {
			return $response;
		}
		$url = $response['redirect_url'] ?? '';
		if ( ! is_string( $url ) || ! preg_match( Hosted_Checkout_Gateway::ADDRESS, $url ) ) {
			return new WP_Error( 'hosted_checkout_refused', __( 'The payment service sent no page to pay on.', 'hosted-checkout' ) );
		}
		$last['url'] = $url;
		$this->record->set( 'session', $last );
		return $url;
	}

	/**
	 * The last session if it still is that of the order, or a new one, which has no url yet. Where the response to the
	 * last request was lost, the same request is repeated with its Idempotency-Key.
	 *
	 * @param string $test yes or no.
	 * @param array  $body The request.
	 */
	private function reusable( string $test, array $body ): array {
		$last  = $this->record->get( 'session' );
		$order = md5( $test . wp_json_encode( array( $body['auth'] ?? false, $body['order'] ) ) );
		$all   = md5( wp_json_encode( $body ) );
		if ( is_array( $last ) && $last['order'] === $order && time() < $last['until'] && ( '' !== $last['url'] || $last['all'] === $all ) ) {
			return $last;
		}
		return array(
			'order' => $order,
			'all'   => $all,
			'key'   => wp_generate_password( 32, false ),
			'until' => time() + 60 * $body['session_expiry'] - 60,
			'auth'  => ! empty( $body['auth'] ),
			'url'   => '',
		);
	}

	/**
	 * The request. What is empty is left out.
	 *
	 * @param string $amount Of the order.
	 */
	private function body( string $amount ): array {
		$order = $this->order;
		$name  = wp_specialchars_decode( get_bloginfo( 'name' ), ENT_QUOTES );
		$text = $name . ' #' . $order->get_order_number();
		$body = array(
			'operation'         => 'purchase',
			'auth'              => 'yes' === $this->gateway->get_option( 'authorize_only' ),
			'success_url'       => $this->return_url( 'done' ),
			'cancel_url'        => $this->return_url( 'left' ),
			'expiry_url'        => $this->return_url( 'left' ),
			'error_url'         => $this->return_url( 'left' ),
			'notification_url'  => WC()->api_request_url( 'hosted_checkout' ),
			'session_expiry'    => $this->minutes(),
			'checkout_language' => self::language( determine_locale() ),
			'order'             => array(
				'number'      => $this->record->number(),
				'amount'      => $amount,
				'currency'    => $order->get_currency(),
				'description' => wp_check_invalid_utf8( $text, true ),
			),
			'customer'          => array_filter(
				array(
					'name'  => $order->get_formatted_billing_full_name(),
					'email' => $order->get_billing_email(),
				)
			),
			'billing_address'   => array_filter(
				array(
					'country' => $order->get_billing_country(),
					'state'   => $order->get_billing_state(),
					'city'    => $order->get_billing_city(),
					'address' => $order->get_billing_address_1(),
					'zip'     => $order->get_billing_postcode(),
					'phone'   => $order->get_billing_phone(),
				)
			),
		);
		return array_filter( $body );
	}

	/**
	 * The page's language.
	 *
	 * @param string $locale Of WordPress, such as de_DE.
	 * @return string '' if the page has none of it.
	 */
	private static function language( string $locale ): string {
		return in_array( $locale, array( 'zh_TW', 'zh_HK' ), true ) ? 'zho' : self::LANGUAGES[ strtok( $locale, '_' ) ] ?? '';
	}

	/**
	 * How long the session is open: not longer than the shop reserves what is in the order.
	 */
	private function minutes(): int {
		$hold = (int) get_option( 'woocommerce_hold_stock_minutes', 0 );
		return 'yes' === get_option( 'woocommerce_manage_stock' ) && $hold > 0 ? max( 2, min( 60, $hold - 1 ) ) : 60;
	}

	/**
	 * Where the buyer comes back to. What is in the address decides nothing about the payment.
	 *
	 * @param string $how 'done' or 'left'.
	 */
	private function return_url( string $how ): string {
		return add_query_arg(
			array(
				'order' => $this->order->get_id(),
				'key'   => $this->order->get_order_key(),
				'how'   => $how,
			),
			WC()->api_request_url( 'hosted_checkout_return' )
		);
	}
}
