#!/usr/bin/perl
# A complete bot for every game of Even Odds, in Perl without a module: any legal number.
#
#     evenodds play duel --vs "cmd:perl examples/bots/bot.pl"

use strict;
use warnings;

$| = 1;    # every answer is sent at once

while ( my $line = <STDIN> ) {
    last if $line =~ /"type":\s*"bye"/;
    next unless $line =~ /"type":\s*"(?:view|error)"/;
    next unless $line =~ /"legal":\s*\[([\d,\s]+)\]/;
    my @legal = split /,\s*/, $1;
    print qq({"type": "pick", "number": $legal[ rand @legal ]}\n);
}
