//! Every tool, resource and template of a key with both grants, through the real binary and rmcp's own client: each argument, each value of
//! an argument that has only a few, each list in parts, in both spaces of the demo. What comes back is compared with the rows of the
//! database, which are read beside the hub's own routes. A tool, an argument or a resource that nobody asks for here fails the test
//! ([`probe`]), and so does a part of the demo that has nothing to say to one.

mod acts;
mod brief;
mod changes;
mod code;
mod days;
mod files;
mod linked;
mod lists;
mod meetings;
mod probe;
mod reads;
mod resources;
mod rows;
mod search;

use ensemble_hub_server::demo;
use ensemble_test_harness::Grants;

use crate::support::World;
use probe::Probe;
use rows::Rows;

#[tokio::test]
async fn every_payload_says_what_the_database_does() {
    let world = World::new(Grants {
        changes: true,
        apps: true,
    })
    .await;
    let file = b"Rain: 12 mm.\n".to_vec();
    crate::files::add(&world, Some(demo::SECOND_SPACE), "rain.txt", file).await;
    let hub = world.hub.hub();
    let home = Rows::of(hub, None).await;
    let second = Rows::of(hub, Some(demo::SECOND_SPACE)).await;
    let probe = Probe::start(&world).await;

    lists::every_list(&probe, &home, &second).await;
    meetings::meetings(&probe, &home, &second).await;
    linked::context(&probe, &home, &second).await;
    search::search(&probe, &home, &second).await;
    reads::read(&probe, &home, &second).await;
    brief::brief(&probe, &home, &second).await;
    days::today(&probe, hub, &home, &second).await;
    days::decisions(&probe, &home, &second).await;
    days::gaps(&probe, &home, &second).await;
    days::spaces(&probe, hub, &home).await;
    days::docs(&probe, &home, &second).await;
    files::get_file(&probe, &world, &home, &second).await;
    code::checkouts(&probe, &world, &home, &second).await;
    resources::every_resource(&probe, &home).await;
    acts::actions(&probe, &home, &second).await;
    changes::tasks(&probe, &world, &home, &second).await;
    acts::uploads(&probe, &world, &home, &second).await;

    probe.leave().await;
    world.hub.stop().await;
}
