<?php
/**
 * What an event makes of an order.
 *
 * @package Hosted_Checkout
 */

defined( 'ABSPATH' ) || exit;

/**
 * The only place where the outcome of a payment changes an order. It runs under the order's lock.
 *
 * An event has the texts id (of the payment), type, status and order_status as the service's callbacks have them,
 * amount (what the event moves), currency and reason.
 *
 * The state of an order is that of its payment: '', 'waiting', 'authorised', 'paid' (also after refunds), 'declined',
 * 'voided' or 'disputed'. The payment itself is the order's transaction id, from its authorisation on.
 */
final class Hosted_Checkout_State {

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
	 * Reads an order.
	 *
	 * @param WC_Order $order The order.
	 */
	public function __construct( WC_Order $order ) {
		$this->order  = $order;
		$this->record = new Hosted_Checkout_Record( $order );
	}

	/**
	 * Applies an event. What was applied before changes nothing.
	 *
	 * @param array $event The event.
	 */
	public function apply( array $event ) {
		$succeeded = 'success' === $event['status'];
		$failed    = 'fail' === $event['status'];
		$own       = $event['id'] === $this->order->get_transaction_id();
		switch ( $event['type'] ) {
			case 'init':
				$this->wait( $event );
				break;
			case 'sale':
				if ( $succeeded ) {
					$this->succeed( $event, 'pending' === $event['order_status'] ? 'authorised' : 'paid' );
				} elseif ( $failed ) {
					$this->decline( $event );
				} else {
					$this->wait( $event );
				}
				break;
			case 'capture':
				if ( $succeeded ) {
					$this->succeed( $event, 'paid' );
					break;
				}
				$this->note_unfinished( $event );
				break;
			case 'refund':
			case 'void':
			case 'chargeback':
			case 'reversal':
				if ( $own && ( $succeeded || $failed ) ) {
					$this->{$event['type']}( $event, $succeeded );
					break;
				}
				$this->note_unfinished( $event );
		}
	}

	/**
	 * Adds a note for the shop.
	 *
	 * @param string $text  The note, in which placeholders are what a payment service sends.
	 * @param string ...$of What replaces the placeholders.
	 */
	private function note( string $text, string ...$of ) {
		$this->order->add_order_note( vsprintf( $text, array_map( 'sanitize_text_field', $of ) ) );
	}

	/**
	 * Notes what has failed or is not known, and changes nothing.
	 *
	 * @param array $event The event.
	 */
	private function note_unfinished( array $event ) {
		$texts = array(
			/* translators: 1: capture, void or refund 2: payment id 3: reason */
			'fail'    => __( 'The %1$s of payment %2$s failed. %3$s', 'hosted-checkout' ),
			/* translators: 1: void, refund, chargeback or reversal 2: payment id 3: reason */
			'success' => __( 'There was a %1$s of payment %2$s, which is not the one of this order. %3$s', 'hosted-checkout' ),
		);
		/* translators: 1: capture, void or refund 2: payment id 3: reason */
		$unknown = __( 'It is not known yet what became of the %1$s of payment %2$s. %3$s', 'hosted-checkout' );
		$this->note( $texts[ $event['status'] ] ?? $unknown, $event['type'], $event['id'], $event['reason'] );
	}

	/**
	 * A payment was made or authorised.
	 *
	 * @param array  $event The event.
	 * @param string $state authorised or paid.
	 */
	private function succeed( array $event, string $state ) {
		$before = $this->record->get( 'state' );
		$known  = $this->order->get_transaction_id();
		$own    = $known === $event['id'];
		if ( ! $own && ( $this->order->is_paid() || ! in_array( $before, array( '', 'waiting', 'declined' ), true ) ) ) {
			/* translators: %s: payment id */
			$this->note( __( 'This order was paid a second time, by payment %s. Refund it in the payment service.', 'hosted-checkout' ), $event['id'] );
			return;
		}
		if ( $own && ! in_array( $before, 'paid' === $state ? array( 'authorised', 'declined' ) : array( 'declined' ), true ) ) {
			return;
		}
		$trusted = $this->agrees( $event ) && ( $this->order->is_paid() || $this->order->has_status( array( 'pending', 'on-hold', 'failed' ) ) );
		$this->order->set_transaction_id( $event['id'] );
		if ( 'hosted_checkout' !== $this->order->get_payment_method() ) {
			$this->order->set_payment_method( 'hosted_checkout' );
		}
		if ( ! $trusted ) {
			/* translators: 1: payment id 2: amount 3: currency 4: status of the order */
			$this->note( __( 'Payment %1$s of %2$s %3$s has arrived, but the order is of another amount or is %4$s. Look at both before you ship or refund.', 'hosted-checkout' ), $event['id'], $event['amount'], $event['currency'], $this->order->get_status() );
			$this->move( $state, 'on-hold' );
		} elseif ( 'authorised' === $state ) {
			/* translators: 1: amount 2: currency 3: payment id */
			$this->note( __( '%1$s %2$s was authorised by payment %3$s. Capture it before you ship, or cancel the order to release it.', 'hosted-checkout' ), $event['amount'], $event['currency'], $event['id'] );
			$this->move( $state, 'on-hold' );
		} else {
			/* translators: 1: amount 2: currency 3: payment id */
			$this->note( __( '%1$s %2$s was paid by payment %3$s.', 'hosted-checkout' ), $event['amount'], $event['currency'], $event['id'] );
			if ( $this->order->is_paid() ) {
				$this->move( $state, $this->order->get_status() );
				return;
			}
			$this->order->update_meta_data( '_hosted_checkout_state', $state );
			$this->order->payment_complete( $event['id'] );
		}
	}

	/**
	 * Stores a state together with the order's status, before anybody hears of either: a process that dies stores none,
	 * and the repeat of its event changes both.
	 *
	 * @param string $state  The state.
	 * @param string $status The status.
	 */
	private function move( string $state, string $status ) {
		$this->order->update_meta_data( '_hosted_checkout_state', $state );
		$this->order->update_status( $status );
	}

	/**
	 * Whether an event is of the order's amount and currency.
	 *
	 * @param array $event The event.
	 */
	private function agrees( array $event ): bool {
		$currency = $this->order->get_currency();
		$due      = Hosted_Checkout_Money::text( $this->order->get_total(), $currency );
		return '' !== $due && $event['currency'] === $currency && Hosted_Checkout_Money::text( $event['amount'], $currency ) === $due;
	}

	/**
	 * An attempt to pay was declined, or an authorisation has failed.
	 *
	 * @param array $event The event.
	 */
	private function decline( array $event ) {
		$known = $this->order->get_transaction_id();
		if ( ( '' !== $known && $known !== $event['id'] ) || ! $this->order->has_status( array( 'pending', 'on-hold', 'failed' ) ) ) {
			$this->note_unfinished( $event );
			return;
		}
		/* translators: 1: payment id 2: reason */
		$this->note( __( 'Payment %1$s was declined. %2$s', 'hosted-checkout' ), $event['id'], $event['reason'] );
		$this->move( 'declined', 'failed' );
	}

	/**
	 * The outcome of a payment is not known yet, or the buyer was shown what to pay with: its goods are reserved.
	 *
	 * @param array $event The event.
	 */
	private function wait( array $event ) {
		if ( ! in_array( $this->record->get( 'state' ), array( '', 'declined' ), true ) || ! $this->order->has_status( array( 'pending', 'failed' ) ) ) {
			return;
		}
		/* translators: 1: payment id 2: reason */
		$this->note( __( 'Payment %1$s is not decided yet. The order waits for it. %2$s', 'hosted-checkout' ), $event['id'], $event['reason'] );
		$this->move( 'waiting', 'on-hold' );
	}

	/**
	 * A refund was made, by this shop or elsewhere, or has failed.
	 *
	 * @param array $event     The event.
	 * @param bool  $succeeded Whether it was made.
	 */
	private function refund( array $event, bool $succeeded ) {
		$amount  = Hosted_Checkout_Money::text( $event['amount'], $this->order->get_currency() );
		$refunds = $this->record->refunds();
		$states  = $succeeded ? array( 'sent', 'accepted' ) : array( 'sent', 'accepted', 'done' );
		$at      = null;
		foreach ( $refunds as $i => $refund ) {
			if ( null === $at && $refund['amount'] === $amount && in_array( $refund['state'], $states, true ) ) {
				$at = $i;
			}
		}
		$state = null === $at ? '' : $refunds[ $at ]['state'];
		if ( $succeeded ) {
			$at             = $at ?? count( $refunds );
			$refunds[ $at ] = array( 'amount' => $amount, 'state' => 'done', 'key' => '', 'time' => time() );
		} elseif ( null !== $at ) {
			array_splice( $refunds, $at, 1 );
		}
		$this->record->set( 'refunds', $refunds );
		if ( ! $succeeded ) {
			$this->undo_refund( $event, $state );
			return;
		}
		/* translators: 1: amount 2: currency */
		$this->note( __( '%1$s %2$s was refunded.', 'hosted-checkout' ), $amount, $event['currency'] );
		if ( 'accepted' !== $state ) {
			$this->add_refund( $amount, $event['reason'] );
		}
	}

	/**
	 * Adds a refund that the shop does not know of. No payment is requested.
	 *
	 * @param string $amount The amount.
	 * @param string $reason The reason.
	 */
	private function add_refund( string $amount, string $reason ) {
		$refund = wc_create_refund(
			array(
				'order_id'       => $this->order->get_id(),
				'amount'         => $amount,
				'reason'         => sanitize_text_field( $reason ),
				'refund_payment' => false,
				'restock_items'  => false,
			)
		);
		if ( is_wp_error( $refund ) ) {
			/* translators: 1: amount 2: reason */
			$this->note( __( 'A refund of %1$s could not be added to the order: %2$s', 'hosted-checkout' ), $amount, $refund->get_error_message() );
		}
	}

	/**
	 * Removes a refund that has failed from the order, if the shop counts it.
	 *
	 * @param array  $event The event.
	 * @param string $state What the refund was, '' if it is not known.
	 */
	private function undo_refund( array $event, string $state ) {
		/* translators: 1: amount 2: currency 3: reason */
		$this->note( __( 'A refund of %1$s %2$s has failed, and nothing was paid back. %3$s', 'hosted-checkout' ), $event['amount'], $event['currency'], $event['reason'] );
		if ( 'accepted' !== $state && 'done' !== $state ) {
			return;
		}
		$currency = $this->order->get_currency();
		foreach ( $this->order->get_refunds() as $refund ) {
			if ( Hosted_Checkout_Money::text( $refund->get_amount(), $currency ) === Hosted_Checkout_Money::text( $event['amount'], $currency ) ) {
				$refund->delete( true );
				break;
			}
		}
		if ( $this->order->has_status( 'refunded' ) ) {
			$this->order->update_status( 'on-hold' );
		}
	}

	/**
	 * A payment was released, or taken back on its day, or that has failed.
	 *
	 * @param array $event     The event.
	 * @param bool  $succeeded Whether it was done.
	 */
	private function void( array $event, bool $succeeded ) {
		if ( ! $succeeded ) {
			$this->note_unfinished( $event );
			return;
		}
		if ( 'voided' === $this->record->get( 'state' ) ) {
			return;
		}
		/* translators: 1: payment id 2: reason */
		$this->note( __( 'Payment %1$s was voided: nothing is charged. %2$s', 'hosted-checkout' ), $event['id'], $event['reason'] );
		if ( $this->order->is_paid() ) {
			$this->add_refund( $this->order->get_remaining_refund_amount(), $event['reason'] );
		} elseif ( $this->order->has_status( array( 'pending', 'on-hold', 'failed' ) ) ) {
			$this->move( 'voided', 'cancelled' );
		}
		$this->record->set( 'state', 'voided' );
	}

	/**
	 * The payer's bank has taken money back, or a dispute was won.
	 *
	 * @param array $event     The event.
	 * @param bool  $succeeded Whether the money was taken.
	 */
	private function chargeback( array $event, bool $succeeded ) {
		$state = $succeeded ? 'disputed' : 'paid';
		if ( $state === $this->record->get( 'state' ) ) {
			return;
		}
		if ( ! $succeeded ) {
			/* translators: %s: payment id */
			$this->note( __( 'The dispute of payment %s was won.', 'hosted-checkout' ), $event['id'] );
			$this->record->set( 'state', $state );
			return;
		}
		/* translators: 1: amount 2: currency 3: payment id 4: reason */
		$this->note( __( '%1$s %2$s of payment %3$s was charged back or reversed. %4$s', 'hosted-checkout' ), $event['amount'], $event['currency'], $event['id'], $event['reason'] );
		$this->move( $state, $this->order->is_paid() ? 'on-hold' : $this->order->get_status() );
	}

	/**
	 * The same of a reversal.
	 *
	 * @param array $event     The event.
	 * @param bool  $succeeded Whether the money was taken.
	 */
	private function reversal( array $event, bool $succeeded ) {
		$this->chargeback( $event, $succeeded );
	}
}
