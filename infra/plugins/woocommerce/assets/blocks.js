// Registers the payment method with WooCommerce's checkout block. It runs as it is: no build step.
( function ( wc, wp ) {
	const settings = wc.wcSettings.getSetting( 'hosted_checkout_data', {} );
	const title = wp.htmlEntities.decodeEntities( settings.title || '' );
	const Description = () => wp.element.createElement( 'div', null, wp.htmlEntities.decodeEntities( settings.description || '' ) );
	wc.wcBlocksRegistry.registerPaymentMethod( {
		name: 'hosted_checkout',
		label: wp.element.createElement( 'span', null, title ),
		ariaLabel: title,
		content: wp.element.createElement( Description ),
		edit: wp.element.createElement( Description ),
		canMakePayment: () => true,
		supports: { features: settings.supports || [ 'products' ] },
	} );
} )( window.wc, window.wp );
