//! Which addresses are public. An address that stands for another one (an old address inside of a new one) is what it stands for; everything
//! that is not known to be public is not.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether anybody can reach this address.
pub(super) fn is_public(at: IpAddr) -> bool {
    match at {
        IpAddr::V4(at) => public_v4(at),
        IpAddr::V6(at) => inner(at).map_or_else(|| public_v6(at), public_v4),
    }
}

/// Whether it is this computer or in a network of the person's own. Addresses that only a link knows, where services of clouds answer, are not.
pub(super) fn is_private(at: IpAddr) -> bool {
    match at {
        IpAddr::V4(at) => at.is_loopback() || at.is_private(),
        IpAddr::V6(at) => inner(at).map_or_else(
            || at.is_loopback() || at.is_unique_local(),
            |at| at.is_loopback() || at.is_private(),
        ),
    }
}

/// The old address that a new one stands for: mapped, or translated (`64:ff9b::/96`).
fn inner(at: Ipv6Addr) -> Option<Ipv4Addr> {
    let translated = matches!(at.segments(), [0x64, 0xff9b, 0, 0, 0, 0, _, _]);
    let [.., a, b, c, d] = at.octets();
    at.to_ipv4_mapped()
        .or_else(|| translated.then(|| Ipv4Addr::new(a, b, c, d)))
}

fn public_v4(at: Ipv4Addr) -> bool {
    // this network, shared, protocols, relays of 6to4, benchmarks, and what is for many or reserved
    let special = match at.octets() {
        [0 | 224..=255, ..] => true,
        [100, second, ..] => (64..128).contains(&second),
        [192, second, third, _] => [(0, 0), (88, 99)].contains(&(second, third)),
        [198, second, ..] => [18, 19].contains(&second),
        _ => false,
    };
    !(special || at.is_loopback() || at.is_private() || at.is_link_local() || at.is_documentation())
}

fn public_v6(at: Ipv6Addr) -> bool {
    match at.segments() {
        // protocols and tunnels, and documentation
        [0x2001, second, ..] => second > 0x1ff && second != 0xdb8,
        // 6to4
        [0x2002, ..] => false,
        // documentation
        [0x3fff, second, ..] => second > 0xfff,
        [first, ..] => (0x2000..0x4000).contains(&first),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_to_be_public_is_not() {
        for at in [
            "127.0.0.1",
            "127.255.0.1",
            "0.0.0.0",
            "10.1.2.3",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.0.1",
            "169.254.169.254",
            "100.64.0.1",
            "100.127.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "198.18.0.1",
            "198.51.100.1",
            "203.0.113.9",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "64:ff9b::7f00:1",
            "fe80::1",
            "fec0::1",
            "fc00::1",
            "fd12::1",
            "ff02::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "2001::1",
            "100::1",
            "::7f00:1",
        ] {
            assert!(!is_public(at.parse().unwrap()), "{at}");
        }
        for at in [
            "1.1.1.1",
            "8.8.8.8",
            "100.63.0.1",
            "100.128.0.1",
            "172.32.0.1",
            "198.20.0.1",
            "2606:4700::1111",
            "2a00:1450::1",
            "::ffff:8.8.8.8",
            "64:ff9b::808:808",
        ] {
            assert!(is_public(at.parse().unwrap()), "{at}");
        }
    }

    #[test]
    fn what_clouds_answer_at_is_never_private() {
        for at in [
            "169.254.169.254",
            "fe80::1",
            "::ffff:169.254.169.254",
            "0.0.0.0",
            "8.8.8.8",
        ] {
            assert!(!is_private(at.parse().unwrap()), "{at}");
        }
        for at in [
            "127.0.0.1",
            "::1",
            "192.168.1.1",
            "fd00::1",
            "::ffff:127.0.0.1",
        ] {
            assert!(is_private(at.parse().unwrap()), "{at}");
        }
    }
}
