<?php
/**
 * Calls of the service.
 *
 * @package Hosted_Checkout
 */

defined( 'ABSPATH' ) || exit;

/**
 * Signs requests to the service and reads its responses. Bodies and secrets are never logged.
 */
final class Hosted_Checkout_Client {

	/**
	 * The gateway's settings.
	 *
	 * @var array
	 */
	private $settings;

	/**
	 * The live or the test key.
	 *
	 * @var string
	 */
	private $key;

	/**
	 * Reads the settings.
	 *
	 * @param bool $test Whether to use the test key.
	 */
	public function __construct( bool $test ) {
		$this->settings = (array) get_option( 'woocommerce_hosted_checkout_settings', array() );
		$this->key      = $this->setting( $test ? 'test_key' : 'merchant_key' );
	}

	/**
	 * A setting.
	 *
	 * @param string $name Its name.
	 * @return string '' if it is not set.
	 */
	public function setting( string $name ): string {
		return (string) ( $this->settings[ $name ] ?? '' );
	}

	/**
	 * Makes the hash over texts and the password. Of letters only a to z are put in upper case, in every locale.
	 *
	 * @param string[] $parts The texts.
	 */
	public function hash( array $parts ): string {
		$text  = implode( '', $parts ) . $this->setting( 'password' );
		$upper = strtr( $text, 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' );
		return sha1( hash( 'sha256' === $this->setting( 'hash' ) ? 'sha256' : 'md5', $upper ) );
	}

	/**
	 * Makes a signed request.
	 *
	 * @param string   $path   Such as '/api/v1/payment/void'.
	 * @param array    $body   The fields beside merchant_key and hash.
	 * @param string[] $signed The texts that the hash is made of.
	 * @param string   $key    Idempotency-Key: a repeat with the same key is not done again. '' for none.
	 * @return array|WP_Error The response. 'hosted_checkout_refused' if nothing was done for sure, 'hosted_checkout_twin'
	 *                        if that is so because it comes too soon, 'hosted_checkout_unknown' if nobody knows.
	 */
	public function call( string $path, array $body, array $signed, string $key = '' ) {
		$body['merchant_key'] = $this->key;
		$body['hash']         = $this->hash( $signed );

		$headers = array( 'Content-Type' => 'application/json' );
		if ( '' !== $key ) {
			$headers['Idempotency-Key'] = $key;
		}
		$response = wp_remote_post(
			untrailingslashit( $this->setting( 'base_url' ) ) . $path,
			array(
				'timeout'     => 30,
				'redirection' => 0,
				'headers'     => $headers,
				'body'        => wp_json_encode( $body ),
			)
		);
		if ( is_wp_error( $response ) ) {
			return $this->failed( $path, 'unknown', $response->get_error_message() );
		}
		$status = (int) wp_remote_retrieve_response_code( $response );
		$fields = json_decode( wp_remote_retrieve_body( $response ), true );
		if ( 200 === $status && is_array( $fields ) ) {
			return $fields;
		}
		if ( $status < 400 || $status > 499 || ! is_array( $fields ) ) {
			return $this->failed( $path, 'unknown', 'HTTP status ' . $status );
		}
		$message = $fields['errors'][0]['error_message'] ?? $fields['error_message'] ?? '';
		$code    = 'Duplicate request.' === $message ? 'twin' : 'refused';
		return $this->failed( $path, $code, sanitize_text_field( is_string( $message ) ? $message : '' ) );
	}

	/**
	 * Logs a failure and returns it.
	 *
	 * @param string $path What was called.
	 * @param string $code 'refused', 'twin' or 'unknown'.
	 * @param string $why  The service's words, or those of the network.
	 */
	private function failed( string $path, string $code, string $why ): WP_Error {
		wc_get_logger()->warning( "$path: $code: $why", array( 'source' => 'hosted-checkout' ) );
		if ( 'unknown' !== $code ) {
			/* translators: %s: what the service says */
			return new WP_Error( 'hosted_checkout_' . $code, sprintf( __( 'The payment service refused this: %s', 'hosted-checkout' ), $why ) );
		}
		return new WP_Error( 'hosted_checkout_unknown', __( 'The payment service did not respond. It is not known whether it has done this. Try again: it will not be done twice.', 'hosted-checkout' ) );
	}
}
