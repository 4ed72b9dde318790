<?php
/**
 * Amounts as decimal text.
 *
 * @package Hosted_Checkout
 */

defined( 'ABSPATH' ) || exit;

/**
 * Amounts are decimal text with all decimals of their currency, never floats, and are never rounded.
 */
final class Hosted_Checkout_Money {

	/**
	 * How many decimals a currency has by ISO 4217, where that is not two.
	 */
	const DECIMALS = array(
		'BIF' => 0,
		'CLP' => 0,
		'DJF' => 0,
		'GNF' => 0,
		'ISK' => 0,
		'JPY' => 0,
		'KMF' => 0,
		'KRW' => 0,
		'PYG' => 0,
		'RWF' => 0,
		'UGX' => 0,
		'UYI' => 0,
		'VND' => 0,
		'VUV' => 0,
		'XAF' => 0,
		'XOF' => 0,
		'XPF' => 0,
		'BHD' => 3,
		'IQD' => 3,
		'JOD' => 3,
		'KWD' => 3,
		'LYD' => 3,
		'OMR' => 3,
		'TND' => 3,
		'CLF' => 4,
		'UYW' => 4,
	);

	/**
	 * The one text of an amount: '10.50' USD, '100' JPY. So two amounts are equal if their texts are.
	 *
	 * @param mixed  $amount   Decimal text, with any number of decimals.
	 * @param string $currency Three letters of ISO 4217.
	 * @return string '' if it is no amount, or has a decimal that the currency has not.
	 */
	public static function text( $amount, string $currency ): string {
		if ( ! preg_match( '/^0*(\d{1,15})(?:\.(\d+))?$/D', (string) $amount, $found ) ) {
			return '';
		}
		$decimals = self::DECIMALS[ $currency ] ?? 2;
		$part     = rtrim( $found[2] ?? '', '0' );
		if ( strlen( $part ) > $decimals ) {
			return '';
		}
		return $decimals ? $found[1] . '.' . str_pad( $part, $decimals, '0' ) : $found[1];
	}

	/**
	 * Whether an amount has a digit that is not zero.
	 *
	 * @param string $text Of text().
	 */
	public static function is_positive( string $text ): bool {
		return '' !== trim( $text, '0.' );
	}
}
